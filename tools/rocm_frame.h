/* rocm_frame.h - how a parent and the ROCm helper (rocm_helper.c) speak: frames over a pipe or socket.
 *
 * A frame is a header and `count` blobs, each preceded by its length. All integers little-endian. A request
 * names a command; the reply repeats it with a status. The helper answers one request at a time, in order, until
 * end of file; when it dies before its reply (LLVM aborts on some inputs), the parent sees end of file.
 */
#ifndef FSATTN_ROCM_FRAME_H
#define FSATTN_ROCM_FRAME_H

#include <stdint.h>

#define FSATTN_ROCM_FRAME_MAGIC 0x464d4352u /* "RCMF" */
enum { fsattn_rocm_frame_blobs = 64 };       /* at most, in one frame */

typedef struct fsattn_rocm_frame_header {
    uint32_t magic;
    uint32_t command;
    uint32_t status; /* 0 in requests; in replies 0 is success */
    uint32_t count;  /* blobs that follow: uint64_t bytes, then the bytes */
} fsattn_rocm_frame_header;

/* X(NAME, value): request blobs -> reply blobs. Every failing reply has one blob, the reason.
 * VERSION:     none -> "HIPRTC 7.2 ..." (one line that identifies the compiler)
 * COMPILE:     source, option... -> log, code object (failure: the log)
 * DISASSEMBLE: ELF code object, isa name ("amdgcn-amd-amdhsa--gfx950") -> text: a line "<symbol>:" at each function,
 *              and per instruction "<address, hex> <bytes, decimal> <text>[ => <branch target, hex>]" */
#define FSATTN_ROCM_COMMAND_LIST(X)                                                                          \
    X(VERSION, 1)                                                                                            \
    X(COMPILE, 2)                                                                                            \
    X(DISASSEMBLE, 3)
enum {
#define X(name, value) FSATTN_ROCM_##name = value,
    FSATTN_ROCM_COMMAND_LIST(X)
#undef X
};

#endif
