#!/usr/bin/env bash
# An application outside the tree builds against an installed libfsattn: pkg-config (shared and static) and CMake, in C and in C++.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$FSATTN_BIN/..
prefix=$work/prefix
value_of() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cc=$(value_of CMAKE_C_COMPILER)
sanitize=$(value_of FSATTN_SANITIZE)
flags=${sanitize:+-fsanitize=$sanitize}
cmake --install "$build" --prefix "$prefix" --component fsattn >/dev/null
library_folder=$(dirname "$(find "$prefix" -name libfsattn.a)")
export PKG_CONFIG_PATH=$library_folder/pkgconfig

"$FSATTN_BIN/../tests/make_cache" "$work/test.fsc" "hq=2 hkv=2 sq=40 sk=40 d=64"
check() { # program
    LD_LIBRARY_PATH=$library_folder "$1" --all "$work/test.fsc" >"$work/out" 2>&1 || { cat "$work/out" >&2; exit 1; }
    grep -q '^1 problems, 0 bad$' "$work/out"
}

cp "$FSATTN_SOURCE/examples/"*.[ch] "$work/"
cd "$work"
# shellcheck disable=SC2046
"$cc" -std=gnu17 $flags attention.c gpu_memory.c $(pkg-config --cflags --libs fsattn) -lm -o shared
check ./shared
ldd shared | grep -q "libfsattn.so.0" 2>/dev/null || readelf -d shared | grep -q 'libfsattn.so.0'
# shellcheck disable=SC2046
"$cc" -std=gnu17 $flags attention.c gpu_memory.c $(pkg-config --cflags fsattn) "$library_folder/libfsattn.a" \
    $(pkg-config --static --libs-only-l fsattn | sed 's/-lfsattn//') -o static
check ./static
# A C++ program sees the header as C: no mangled names, no warnings.
cat >consumer.cpp <<'END'
#include <fsattn.h>
#include <cstdio>
#include <vector>
int main(int argc, char **argv) {
    fsattn_options options;
    fsattn_options_init(&options);
    const char *cache = argv[argc - 1];
    options.caches = &cache;
    options.cache_count = 1;
    fsattn_context *context = nullptr;
    fsattn_err err;
    fsattn_problem problem;
    fsattn_plan plan;
    if (fsattn_open(&options, &context, &err) != FSATTN_OK ||
        fsattn_problem_at(context, 0, &problem, &err) != FSATTN_OK ||
        fsattn_plan_find(context, &problem, nullptr, &plan, &err) != FSATTN_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    std::vector<float> q(2 * 40 * 64, 0.f), v(2 * 40 * 64, 3.f), o(2 * 40 * 64, 0.f);
    fsattn_arguments arguments{};
    arguments.size = sizeof arguments;
    arguments.q.data = q.data();
    arguments.k.data = q.data();
    arguments.v.data = v.data();
    arguments.o.data = o.data();
    if (fsattn_run(context, &plan, &arguments, &err) != FSATTN_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    fsattn_close(context);
    std::printf("1 problems, %d bad\n", o.back() < 2.999f || o.back() > 3.001f);
    return 0;
}
END
cxx=$(value_of CMAKE_C_COMPILER | sed 's/gcc$/g++/; s/clang$/clang++/; s/cc$/c++/')
# shellcheck disable=SC2046
"$cxx" -std=c++17 -Wall -Wextra -Werror -pedantic $flags consumer.cpp $(pkg-config --cflags --libs fsattn) -o shared_cxx
check ./shared_cxx
readelf -d static | grep -q 'libfsattn' && { echo "the static program needs the shared library" >&2; exit 1; }

mkdir consumer
cat >consumer/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C CXX)
find_package(fsattn 0.1 REQUIRED)
add_executable(with_shared ../attention.c ../gpu_memory.c)
target_link_libraries(with_shared PRIVATE fsattn::fsattn m)
add_executable(with_static ../attention.c ../gpu_memory.c)
target_link_libraries(with_static PRIVATE fsattn::static)
add_executable(with_cxx ../consumer.cpp)
target_link_libraries(with_cxx PRIVATE fsattn::fsattn)
END
cmake -S consumer -B consumer/build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_C_FLAGS="-std=gnu17 $flags" -DCMAKE_CXX_FLAGS="$flags" >"$work/log" 2>&1 && cmake --build consumer/build >>"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
check consumer/build/with_shared
check consumer/build/with_static
check consumer/build/with_cxx
