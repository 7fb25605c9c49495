#!/bin/sh
# A compiler that hangs or crashes when the source asks for it, and is the system's otherwise.
if [ -f kernel.c ]; then
    grep -q 'fault: compiler_loop' kernel.c && sleep 1000
    grep -q 'fault: compiler_abort' kernel.c && kill -ABRT $$
    grep -q 'fault: compiler_silent' kernel.c && exit 0
fi
exec cc "$@"
