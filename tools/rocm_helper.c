/* rocm_helper.c - the program that holds HIPRTC and comgr.
 *
 * It links libc alone and opens both libraries at run time, so that the same binary, built on Debian 12, runs
 * natively where ROCm is installed and through the private root's own loader elsewhere (tools/rocm-root).
 * Serves frames (rocm_frame.h) on descriptors 0 and 1 until end of file; what LLVM prints goes to 2.
 *
 *   fsattn-rocm-helper [HIPRTC LIBRARY [COMGR LIBRARY]]     (default: the loader's libhiprtc.so.7 and libamd_comgr.so.3)
 */
#include "rocm_frame.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the entry points that are used, declared from the libraries' public documentation ---- */

typedef struct comgr_disassembly {
    uint64_t handle;
} comgr_disassembly;

/* X(library, result, name, parameters) */
#define ENTRY_POINT_LIST(X)                                                                                  \
    X(hiprtc, int, hiprtcVersion, (int *, int *))                                                            \
    X(hiprtc, int, hiprtcCreateProgram,                                                                      \
      (void **, const char *, const char *, int, const char *const *, const char *const *))                  \
    X(hiprtc, int, hiprtcCompileProgram, (void *, int, const char *const *))                                 \
    X(hiprtc, int, hiprtcGetProgramLogSize, (void *, size_t *))                                              \
    X(hiprtc, int, hiprtcGetProgramLog, (void *, char *))                                                    \
    X(hiprtc, int, hiprtcGetCodeSize, (void *, size_t *))                                                    \
    X(hiprtc, int, hiprtcGetCode, (void *, char *))                                                          \
    X(hiprtc, int, hiprtcDestroyProgram, (void **))                                                          \
    X(hiprtc, const char *, hiprtcGetErrorString, (int))                                                     \
    X(comgr, void, amd_comgr_get_version, (size_t *, size_t *))                                              \
    X(comgr, int, amd_comgr_create_disassembly_info,                                                         \
      (const char *, uint64_t (*)(uint64_t, char *, uint64_t, void *), void (*)(const char *, void *),       \
       void (*)(uint64_t, void *), comgr_disassembly *))                                                     \
    X(comgr, int, amd_comgr_disassemble_instruction, (comgr_disassembly, uint64_t, void *, uint64_t *))      \
    X(comgr, int, amd_comgr_destroy_disassembly_info, (comgr_disassembly))

typedef struct rocm {
    void *hiprtc, *comgr;
    char hiprtc_error[512], comgr_error[512]; /* why a library is not there; empty when it is */
#define X(library, result, name, parameters) result(*name) parameters;
    ENTRY_POINT_LIST(X)
#undef X
} rocm;

static void *open_library(const char *wanted, const char *fallback, char *error, size_t error_bytes) {
    void *library = dlopen(wanted ? wanted : fallback, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(error, error_bytes, "%s", dlerror());
    }
    return library;
}

static void rocm_open(rocm *r, const char *hiprtc_path, const char *comgr_path) {
    r->hiprtc = open_library(hiprtc_path, "libhiprtc.so.7", r->hiprtc_error, sizeof r->hiprtc_error);
    r->comgr = open_library(comgr_path, "libamd_comgr.so.3", r->comgr_error, sizeof r->comgr_error);
#define X(library, result, name, parameters)                                                                 \
    if (r->library && !r->library##_error[0]) {                                                              \
        void *symbol = dlsym(r->library, #name);                                                             \
        memcpy(&r->name, &symbol, sizeof symbol);                                                            \
        if (!symbol) {                                                                                       \
            snprintf(r->library##_error, sizeof r->library##_error, "no entry point " #name);                \
        }                                                                                                    \
    }
    ENTRY_POINT_LIST(X)
#undef X
}

/* ---- frames ------------------------------------------------------------------------------- */

typedef struct blob {
    char *data; /* NUL-terminated */
    uint64_t bytes;
} blob;

static bool read_all(void *data, size_t bytes) {
    char *at = data;
    while (bytes) {
        ssize_t got = read(0, at, bytes);
        if (got <= 0) {
            return false;
        }
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

static void write_all(const void *data, size_t bytes) {
    const char *at = data;
    while (bytes) {
        ssize_t put = write(1, at, bytes);
        if (put <= 0) {
            exit(1); /* the parent is gone */
        }
        at += put;
        bytes -= (size_t)put;
    }
}

static void reply(uint32_t command, uint32_t status, const blob *blobs, uint32_t count) {
    fsattn_rocm_frame_header header = {FSATTN_ROCM_FRAME_MAGIC, command, status, count};
    write_all(&header, sizeof header);
    for (uint32_t i = 0; i < count; i++) {
        write_all(&blobs[i].bytes, sizeof blobs[i].bytes);
        write_all(blobs[i].data, blobs[i].bytes);
    }
}

static void reply_failure(uint32_t command, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void reply_failure(uint32_t command, const char *format, ...) {
    char reason[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    reply(command, 1, &(blob){reason, strlen(reason)}, 1);
}

static void *need(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "fsattn-rocm-helper: out of memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/* ---- compile ------------------------------------------------------------------------------ */

static void serve_version(const rocm *r) {
    int major = 0, minor = 0;
    size_t comgr_major = 0, comgr_minor = 0;
    char text[256];
    if (r->hiprtc_error[0]) {
        reply_failure(FSATTN_ROCM_VERSION, "HIPRTC: %s", r->hiprtc_error);
        return;
    }
    r->hiprtcVersion(&major, &minor);
    if (!r->comgr_error[0]) {
        r->amd_comgr_get_version(&comgr_major, &comgr_minor);
    }
    snprintf(text, sizeof text, "HIPRTC %d.%d, comgr %zu.%zu", major, minor, comgr_major, comgr_minor);
    reply(FSATTN_ROCM_VERSION, 0, &(blob){text, strlen(text)}, 1);
}

static blob program_log(const rocm *r, void *program) {
    size_t bytes = 0;
    blob log = {0};
    if (r->hiprtcGetProgramLogSize(program, &bytes) == 0 && bytes) {
        log.data = need(bytes);
        r->hiprtcGetProgramLog(program, log.data);
        log.bytes = strnlen(log.data, bytes);
    }
    return log;
}

static void serve_compile(const rocm *r, const blob *request, uint32_t count) {
    const char *options[fsattn_rocm_frame_blobs];
    void *program = NULL;
    blob results[2] = {{0}, {0}};
    size_t code_bytes = 0;
    if (r->hiprtc_error[0]) {
        reply_failure(FSATTN_ROCM_COMPILE, "HIPRTC: %s", r->hiprtc_error);
        return;
    }
    if (count < 1) {
        reply_failure(FSATTN_ROCM_COMPILE, "request without a source");
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        options[i - 1] = request[i].data;
    }
    int result = r->hiprtcCreateProgram(&program, request[0].data, "kernel.hip", 0, NULL, NULL);
    if (result) {
        reply_failure(FSATTN_ROCM_COMPILE, "hiprtcCreateProgram: %s", r->hiprtcGetErrorString(result));
        return;
    }
    result = r->hiprtcCompileProgram(program, (int)count - 1, options);
    results[0] = program_log(r, program);
    if (result == 0) {
        result = r->hiprtcGetCodeSize(program, &code_bytes);
    }
    if (result == 0) {
        results[1].data = need(code_bytes);
        results[1].bytes = code_bytes;
        result = r->hiprtcGetCode(program, results[1].data);
    }
    if (result == 0) {
        reply(FSATTN_ROCM_COMPILE, 0, results, 2);
    } else if (results[0].bytes) {
        reply(FSATTN_ROCM_COMPILE, 1, results, 1);
    } else {
        reply_failure(FSATTN_ROCM_COMPILE, "HIPRTC: %s", r->hiprtcGetErrorString(result));
    }
    r->hiprtcDestroyProgram(&program);
    free(results[0].data);
    free(results[1].data);
}

/* ---- disassemble -------------------------------------------------------------------------- */

typedef struct listing {
    const char *code; /* bytes of the section being read */
    uint64_t address, bytes;
    char *text;
    size_t used, capacity;
    char instruction[1024];
    uint64_t target;
    bool has_target;
} listing;

static void listing_printf(listing *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void listing_printf(listing *l, const char *format, ...) {
    va_list args;
    if (l->capacity - l->used < 2048) {
        l->capacity = l->capacity * 2 + 65536;
        l->text = realloc(l->text, l->capacity);
        if (!l->text) {
            exit(1);
        }
    }
    va_start(args, format);
    l->used += (size_t)vsnprintf(l->text + l->used, l->capacity - l->used, format, args);
    va_end(args);
}

static uint64_t read_memory(uint64_t from, char *to, uint64_t size, void *user) {
    listing *l = user;
    if (from < l->address || from - l->address >= l->bytes) {
        return 0;
    }
    uint64_t left = l->bytes - (from - l->address);
    uint64_t given = size < left ? size : left;
    memcpy(to, l->code + (from - l->address), given);
    return given;
}

static void take_instruction(const char *instruction, void *user) {
    listing *l = user;
    while (*instruction == ' ' || *instruction == '\t') {
        instruction++;
    }
    snprintf(l->instruction, sizeof l->instruction, "%s", instruction);
    for (char *at = l->instruction; *at; at++) {
        *at = *at == '\t' || *at == '\n' ? ' ' : *at;
    }
}

static void take_target(uint64_t address, void *user) {
    listing *l = user;
    l->target = address;
    l->has_target = true;
}

/* The line "<name>:" where a function starts at `address`. */
static void list_symbol(listing *l, const char *elf, uint64_t elf_bytes, uint64_t address) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) {
            continue;
        }
        if (sections[i].sh_link >= header->e_shnum || sections[i].sh_offset + sections[i].sh_size > elf_bytes) {
            continue;
        }
        const Elf64_Sym *symbols = (const Elf64_Sym *)(elf + sections[i].sh_offset);
        const Elf64_Shdr *names = &sections[sections[i].sh_link];
        for (uint64_t s = 0; s < sections[i].sh_size / sizeof *symbols; s++) {
            if (ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC && symbols[s].st_value == address &&
                symbols[s].st_name < names->sh_size && names->sh_offset + names->sh_size <= elf_bytes) {
                listing_printf(l, "%.512s:\n", elf + names->sh_offset + symbols[s].st_name);
                return;
            }
        }
    }
}

static bool elf_sections_valid(const char *elf, uint64_t bytes) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    return bytes >= sizeof *header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_shoff <= bytes && header->e_shnum <= (bytes - header->e_shoff) / sizeof(Elf64_Shdr);
}

static void serve_disassemble(const rocm *r, const blob *request, uint32_t count) {
    listing l = {0};
    comgr_disassembly disassembly;
    if (r->comgr_error[0]) {
        reply_failure(FSATTN_ROCM_DISASSEMBLE, "comgr: %s", r->comgr_error);
        return;
    }
    if (count != 2 || !elf_sections_valid(request[0].data, request[0].bytes)) {
        reply_failure(FSATTN_ROCM_DISASSEMBLE, "not an ELF code object with section headers");
        return;
    }
    if (r->amd_comgr_create_disassembly_info(request[1].data, read_memory, take_instruction, take_target,
                                             &disassembly)) {
        reply_failure(FSATTN_ROCM_DISASSEMBLE, "comgr does not know the ISA '%s'", request[1].data);
        return;
    }
    const char *elf = request[0].data;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *section = &sections[i];
        if (section->sh_type != SHT_PROGBITS || !(section->sh_flags & SHF_EXECINSTR) ||
            section->sh_offset > request[0].bytes || section->sh_size > request[0].bytes - section->sh_offset) {
            continue;
        }
        l.code = elf + section->sh_offset;
        l.address = section->sh_addr;
        l.bytes = section->sh_size;
        for (uint64_t at = l.address; at < l.address + l.bytes;) {
            uint64_t size = 0;
            l.has_target = false;
            list_symbol(&l, elf, request[0].bytes, at);
            if (r->amd_comgr_disassemble_instruction(disassembly, at, &l, &size) || size == 0) {
                listing_printf(&l, "%llx 4 (not an instruction)\n", (unsigned long long)at);
                at += 4;
                continue;
            }
            listing_printf(&l, "%llx %llu %s", (unsigned long long)at, (unsigned long long)size, l.instruction);
            if (l.has_target) {
                listing_printf(&l, " => %llx", (unsigned long long)l.target);
            }
            listing_printf(&l, "\n");
            at += size;
        }
    }
    r->amd_comgr_destroy_disassembly_info(disassembly);
    reply(FSATTN_ROCM_DISASSEMBLE, 0, &(blob){l.text, l.used}, 1);
    free(l.text);
}

/* ---- the loop ----------------------------------------------------------------------------- */

static bool read_request(fsattn_rocm_frame_header *header, blob *blobs) {
    const uint64_t limit = (uint64_t)1 << 30;
    if (!read_all(header, sizeof *header)) {
        return false;
    }
    if (header->magic != FSATTN_ROCM_FRAME_MAGIC || header->count > fsattn_rocm_frame_blobs) {
        fprintf(stderr, "fsattn-rocm-helper: malformed request\n");
        exit(1);
    }
    for (uint32_t i = 0; i < header->count; i++) {
        if (!read_all(&blobs[i].bytes, sizeof blobs[i].bytes) || blobs[i].bytes > limit) {
            exit(1);
        }
        blobs[i].data = need(blobs[i].bytes + 1);
        if (!read_all(blobs[i].data, blobs[i].bytes)) {
            exit(1);
        }
        blobs[i].data[blobs[i].bytes] = '\0';
    }
    return true;
}

int main(int argc, char **argv) {
    rocm r = {0};
    fsattn_rocm_frame_header header;
    blob blobs[fsattn_rocm_frame_blobs];
    rocm_open(&r, argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL);
    while (read_request(&header, blobs)) {
        switch (header.command) {
        case FSATTN_ROCM_VERSION:
            serve_version(&r);
            break;
        case FSATTN_ROCM_COMPILE:
            serve_compile(&r, blobs, header.count);
            break;
        case FSATTN_ROCM_DISASSEMBLE:
            serve_disassemble(&r, blobs, header.count);
            break;
        default:
            reply_failure(header.command, "unknown command %u", header.command);
        }
        for (uint32_t i = 0; i < header.count; i++) {
            free(blobs[i].data);
        }
    }
    return 0;
}
