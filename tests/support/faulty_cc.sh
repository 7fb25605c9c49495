#!/bin/sh
# A compiler that hangs or crashes when the source asks for it, and is the system's otherwise.
if [ -f kernel.c ]; then
    case $(sed -n 's,.*/\* fault: \([a-z_]*\) \*/.*,\1,p' kernel.c) in
    compiler_loop) sleep 1000 ;;
    compiler_abort) kill -ABRT $$ ;;
    compiler_silent) exit 0 ;;
    compiler_killed) kill -KILL $$ ;;
    compiler_tidied) rm -rf "$PWD" && exit 1 ;;
    compiler_killed_once) [ -f ../killed ] || { : >../killed && kill -KILL $$; } ;;
    compiler_no_space) echo "/tmp/ccF.s: Fatal error: can't write 40 bytes to section .text of kernel.o: 'No space left on device'" && exit 1 ;;
    compiler_big) dd if=/dev/zero of=kernel.s bs=1048576 count=65 && exit 0 || { echo "File size limit exceeded"; exit 1; } ;;
    compiler_memory) echo "cc1: out of memory allocating 65536 bytes after a total of 8589934592 bytes" && exit 1 ;;
    esac
fi
exec cc "$@"
