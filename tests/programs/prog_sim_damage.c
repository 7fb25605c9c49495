/* The simulator's loader on damaged code objects: bytes changed and files cut at many places, sizes and nesting that no file needs,
 * bundles, and damaged disassemblies. As a module of the simulator, of which what still loads is launched, and through hipModuleLoadData
 * with nothing behind the last byte. Each ends with a status and, when it fails, a message; sanitizers see that nothing else happens. */
#include "file.h"
#include "memory.h"
#include "sim_disassemble.h"
#include "sim_launch.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { page = 4096, hip_success = 0, hip_invalid_image = 200, hip_no_binary = 209 };

static sim_heap heap = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static char folder[] = "/tmp/fsattn-damage.XXXXXX";
static size_t loaded, refused, ran, faulted;
static unsigned char *code; /* undamaged, but for what a case changes and puts back */
static char *text;          /* its disassembly */
static size_t bytes, text_bytes;
static int (*load_data)(void **, const void *);
static int (*unload)(void *);
static const char *(*last_error)(void);

static void wrong(const char *what, size_t at) {
    fprintf(stderr, "%s (%zu)\n", what, at);
    exit(1);
}

/* Where the simulator looks for the disassembly of these bytes, so that what comes behind the disassembler is reached. */
static void path_of(const unsigned char *elf, size_t size, char path[128]) {
    char key[sim_disassemble_key_bytes];
    sim_disassemble_key(elf, size, key);
    snprintf(path, 128, "%s/%s.s", folder, key);
}
static void write_text(const char *path, size_t size) {
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file)) {
        wrong(path, 0);
    }
}

static void launch(const sim_module *m, size_t at) {
    static unsigned char in[page] __attribute__((aligned(page))), out[page] __attribute__((aligned(page)));
    const sim_options options = {.threads = 1, .check_waits = true, .check_races = true, .check_undefined = true, .poison = true, .instructions_max = 1000};
    const void *const arguments[] = {in, out};
    sim_heap_add(&heap, in, sizeof in, "in");
    sim_heap_add(&heap, out, sizeof out, "out");
    for (size_t i = 0; i < m->object.kernel_count; i++) {
        sim_result result = {0};
        fsattn_err err = {0};
        const sim_launch l = {.kernel = &m->kernels[i], .grid = {2, 1, 1}, .block = {128, 1, 1}, .arguments = arguments,
                              .argument_bytes = sizeof arguments};
        const fsattn_status status = sim_launch_run(&heap, &l, &options, &result, &err);
        ran += status == FSATTN_OK;
        faulted += status != FSATTN_OK;
        if (status != FSATTN_OK && !err.message[0]) {
            wrong("a launch failed without a message", at);
        }
    }
    sim_heap_remove(&heap, in);
    sim_heap_remove(&heap, out);
}

/* The first `size` bytes as a module. Copies are as long as they are said to be, so that reading beyond them is found. */
static fsattn_status open_module(size_t size, size_t text_size, bool run, size_t at) {
    char path[128];
    sim_module *m = NULL;
    fsattn_err err = {0};
    unsigned char *copy = fsattn_alloc(size ? size : 1, 1);
    memcpy(copy, code, size);
    path_of(code, size, path);
    write_text(path, text_size);
    const fsattn_status status = sim_module_open(&heap, "damaged", copy, size, &m, &err);
    unlink(path);
    loaded += status == FSATTN_OK;
    refused += status != FSATTN_OK;
    if (status == FSATTN_OK && run) {
        launch(m, at);
    }
    if (status != FSATTN_OK && !err.message[0]) {
        wrong("refused without a message", at);
    }
    sim_module_close(m);
    fsattn_free(copy);
    if (heap.count) {
        wrong("memory of a module stays in the heap", at);
    }
    return status;
}

/* The bytes as a program hands them to HIP, which does not say how many there are: the page behind them cannot be read. */
static int load_through_hip(const unsigned char *image, size_t size, size_t at) {
    static unsigned char *pages;
    enum { room = 16 * page };
    if (!pages) {
        pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED || mprotect(pages + room, page, PROT_NONE)) {
            wrong("no memory", 0);
        }
    }
    char path[128] = "";
    void *module = NULL;
    fsattn_code_object object;
    unsigned char *place = pages + room - size;
    memcpy(place, image, size);
    const size_t claimed = sim_module_bytes(place);
    if (claimed && claimed <= size && fsattn_code_object_init(&object, "damaged", place, claimed, "gfx950", NULL) == FSATTN_OK) {
        path_of(object.elf, object.elf_bytes, path);
        write_text(path, text_bytes);
        fsattn_code_object_fini(&object);
    }
    const int error = load_data(&module, place);
    unlink(path);
    if (error != hip_success && error != hip_invalid_image && error != hip_no_binary) {
        wrong("hipModuleLoadData gives another error", (size_t)error);
    }
    if (error == hip_success) {
        unload(module);
    } else if (!last_error()[0]) {
        wrong("hipModuleLoadData fails without a message", at);
    }
    loaded += error == hip_success;
    refused += error != hip_success;
    return error;
}

/* ---- bytes and lengths ------------------------------------------------------------------------------------- */

/* What the loader reads: all but code, debugging names and comments. */
static bool is_structure(size_t at) {
    Elf64_Ehdr header;
    memcpy(&header, code, sizeof header);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr s;
        memcpy(&s, code + header.e_shoff + i * sizeof s, sizeof s);
        const bool skipped = (s.sh_type == SHT_PROGBITS && (s.sh_flags & SHF_EXECINSTR)) || !(s.sh_flags & SHF_ALLOC);
        if (skipped && at >= s.sh_offset && at < s.sh_offset + s.sh_size) {
            return false;
        }
    }
    return true;
}
/* First bytes of MessagePack's long forms, and what turns a number into a large or a negative one. */
static const unsigned char bytes_put[] = {0xff, 0x91, 0xdb, 0x00, 0xdd, 0x80, 0xdf, 0x7f};

/* Three is prime to the sizes of all fields: each place in a field comes up in some row of a table. */
static void damage_bytes(void) {
    for (size_t at = 0, n = 0; at < bytes; at += at < 1024 ? 1 : is_structure(at) ? 3 : 61, n++) {
        const unsigned char old = code[at], put = bytes_put[n % sizeof bytes_put];
        code[at] = put == old ? (unsigned char)~put : put;
        open_module(bytes, text_bytes, n % 16 == 0, at);
        if (at < sizeof(Elf64_Ehdr) + 9 * sizeof(Elf64_Phdr) || n % 5 == 0) {
            load_through_hip(code, bytes, at);
        }
        code[at] = old;
    }
}
static void cut(void) {
    for (size_t length = 0; length < bytes; length += length < 1024 ? 1 : 61) {
        if (open_module(length, text_bytes, false, length) == FSATTN_OK || load_through_hip(code, length, length) == hip_success) {
            wrong("a part of the file loads", length);
        }
    }
}
static void damage_text(void) {
    for (size_t at = 0, n = 0; at < text_bytes; at += 67, n++) {
        const char old = text[at];
        text[at] = (char)bytes_put[n % sizeof bytes_put];
        open_module(bytes, text_bytes, n % 4 == 0, at);
        text[at] = old;
        open_module(bytes, at, n % 4 == 0, at);
    }
}

/* ---- sizes --------------------------------------------------------------------------------------------------- */

static void damage_segments(void) {
    static const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 4096, (uint64_t)3 << 30, ((uint64_t)1 << 32) - 1, (uint64_t)1 << 63};
    Elf64_Ehdr header;
    memcpy(&header, code, sizeof header);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        unsigned char *place = code + header.e_phoff + i * sizeof(Elf64_Phdr);
        Elf64_Phdr old, changed;
        memcpy(&old, place, sizeof old);
        for (size_t k = 0; k < 3 * sizeof sizes / sizeof *sizes && old.p_type == PT_LOAD; k++) {
            changed = old;
            *(k % 3 == 0 ? &changed.p_memsz : k % 3 == 1 ? &changed.p_vaddr : &changed.p_filesz) = sizes[k / 3];
            memcpy(place, &changed, sizeof changed);
            if (open_module(bytes, text_bytes, false, k) == FSATTN_OK || load_through_hip(code, bytes, k) == hip_success) {
                wrong("a segment of any size loads", k);
            }
        }
        memcpy(place, &old, sizeof old);
    }
}

/* Metadata of one kernel, as MessagePack, in place of the file's. */
typedef struct writer {
    unsigned char *at;
} writer;
static void put(writer *w, const void *data, size_t size) {
    memcpy(w->at, data, size);
    w->at += size;
}
static void put_byte(writer *w, unsigned byte) { *w->at++ = (unsigned char)byte; }
static void put_text(writer *w, const char *value) {
    put_byte(w, 0xd9);
    put_byte(w, (unsigned)strlen(value));
    put(w, value, strlen(value));
}
static void put_number(writer *w, uint32_t value) {
    put_byte(w, 0xce);
    for (int shift = 24; shift >= 0; shift -= 8) {
        put_byte(w, value >> shift & 255);
    }
}
/* X(field): the numbers of a kernel. */
#define SIZES(X)                                                                                             \
    X(".kernarg_segment_size", 24)                                                                           \
    X(".private_segment_fixed_size", 0)                                                                      \
    X(".group_segment_fixed_size", 512)                                                                       \
    X(".vgpr_count", 16)                                                                                     \
    X(".agpr_count", 0)                                                                                      \
    X(".sgpr_count", 16)                                                                                     \
    X(".max_flat_workgroup_size", 1024)                                                                      \
    X(".wavefront_size", 64)
static const struct {
    const char *name;
    uint32_t usual;
} sizes_of_kernel[] = {
#define X(name, usual) {name, usual},
    SIZES(X)
#undef X
};
enum { size_count = sizeof sizes_of_kernel / sizeof *sizes_of_kernel, argument_fields = 3, no_case = -1 };

/* `changed`: the number that gets `value`; size_count and above: of the only argument. `nested` arrays stand where nobody looks. */
static void write_metadata(writer *w, int changed, uint32_t value, unsigned nested) {
    put_byte(w, 0x83);
    put_text(w, "ignored");
    for (unsigned i = 0; i < nested; i++) {
        put_byte(w, 0x91);
    }
    put_byte(w, 0xc0);
    put_text(w, "amdhsa.target");
    put_text(w, "amdgcn-amd-amdhsa--gfx950");
    put_text(w, "amdhsa.kernels");
    put_byte(w, 0x91);
    put_byte(w, 0x80 + size_count + 3);
    put_text(w, ".name");
    put_text(w, "waited_and_synchronized");
    put_text(w, ".symbol");
    put_text(w, "waited_and_synchronized.kd");
    for (int i = 0; i < size_count; i++) {
        put_text(w, sizes_of_kernel[i].name);
        put_number(w, i == changed ? value : sizes_of_kernel[i].usual);
    }
    put_text(w, ".args");
    put_byte(w, 0x91);
    put_byte(w, 0x80 + argument_fields);
    put_text(w, ".offset");
    put_number(w, changed == size_count ? value : 16);
    put_text(w, ".size");
    put_number(w, changed == size_count + 1 ? value : 8);
    put_text(w, ".value_kind");
    put_text(w, "hidden_block_count_x");
}
static fsattn_status try_metadata(int changed, uint32_t value, unsigned nested) {
    Elf64_Ehdr header;
    Elf64_Phdr segment = {0};
    Elf64_Nhdr note;
    static unsigned char old[4 * page];
    memcpy(&header, code, sizeof header);
    for (unsigned i = 0; i < header.e_phnum && segment.p_type != PT_NOTE; i++) {
        memcpy(&segment, code + header.e_phoff + i * sizeof segment, sizeof segment);
    }
    unsigned char *place = code + segment.p_offset;
    memcpy(&note, place, sizeof note);
    if (sizeof note + 8 + note.n_descsz > sizeof old) {
        wrong("more metadata than there is room for", note.n_descsz);
    }
    memcpy(old, place, sizeof note + 8 + note.n_descsz);
    writer w = {place + sizeof note + 8};
    write_metadata(&w, changed, value, nested);
    const size_t whole = sizeof note + 8 + note.n_descsz;
    note.n_descsz = (Elf64_Word)(w.at - place - sizeof note - 8);
    memcpy(place, &note, sizeof note);
    const fsattn_status status = open_module(bytes, text_bytes, true, (size_t)changed);
    load_through_hip(code, bytes, value);
    memcpy(place, old, whole);
    return status;
}
static void damage_metadata(void) {
    static const uint32_t values[] = {UINT32_MAX, UINT32_MAX - 14, UINT32_MAX - 63, 0x80000000, 0x7fffffff, 65, 0};
    const size_t before = ran;
    if (try_metadata(no_case, 0, 3) != FSATTN_OK || ran == before) {
        wrong("written metadata do not load and run", 0);
    }
    for (int changed = 0; changed < size_count + 2; changed++) {
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            const fsattn_status status = try_metadata(changed, values[k], 0);
            if (changed < 2 && values[k] > 65 && status == FSATTN_OK) {
                wrong("any amount of arguments or scratch loads", k);
            }
        }
    }
    if (try_metadata(no_case, 0, 200) != FSATTN_CORRUPT) {
        wrong("metadata may be nested without end", 0);
    }
}

/* ---- bundles --------------------------------------------------------------------------------------------------- */

static size_t make_bundle(unsigned char *to, const char *target) {
    static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__", host[] = "host-x86_64-unknown-linux-gnu-";
    const uint64_t count = 2, from = 256, empty[] = {from, 0, sizeof host - 1}, device[] = {from, bytes, strlen(target)};
    writer w = {to};
    memset(to, 0, (size_t)from);
    put(&w, magic, sizeof magic - 1);
    put(&w, &count, sizeof count);
    put(&w, empty, sizeof empty);
    put(&w, host, sizeof host - 1);
    put(&w, device, sizeof device);
    put(&w, target, strlen(target));
    const size_t head = (size_t)(w.at - to);
    memcpy(to + from, code, bytes);
    return head;
}
static void damage_bundles(void) {
    unsigned char *bundle = fsattn_alloc(bytes + 256, 1);
    make_bundle(bundle, "hipv4-amdgcn-amd-amdhsa--gfx942");
    if (load_through_hip(bundle, bytes + 256, 0) != hip_no_binary) {
        wrong("a bundle for another processor loads", 0);
    }
    const size_t head = make_bundle(bundle, "hipv4-amdgcn-amd-amdhsa--gfx950:sramecc+");
    if (load_through_hip(bundle, bytes + 256, 0) != hip_success) {
        wrong("a bundle does not load", 0);
    }
    for (size_t at = 0; at < head; at++) {
        const unsigned char old = bundle[at];
        for (size_t k = 0; k < sizeof bytes_put; k++) {
            bundle[at] = bytes_put[k];
            load_through_hip(bundle, bytes + 256, at);
        }
        bundle[at] = old;
    }
    for (size_t length = 0; length < bytes + 256; length += length < head ? 1 : 509) {
        if (load_through_hip(bundle, length, length) == hip_success) {
            wrong("a part of a bundle loads", length);
        }
    }
    if (load_through_hip((const unsigned char *)"CCOB\2\0\0\0 and so on", 18, 0) != hip_no_binary) {
        wrong("a compressed bundle is not told", 0);
    }
    fsattn_free(bundle);
}

static void open_library(void) {
    void *library = dlopen(FSATTN_BINARY_DIR "/lib/simulator/libamdhip64.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        wrong(dlerror(), 0);
    }
    *(void **)(void *)&load_data = dlsym(library, "hipModuleLoadData");
    *(void **)(void *)&unload = dlsym(library, "hipModuleUnload");
    *(void **)(void *)&last_error = dlsym(library, "fsattn_sim_last_error");
    if (!load_data || !unload || !last_error) {
        wrong("an entry point is missing", 0);
    }
}

int main(void) {
    char path[256], key[sim_disassemble_key_bytes], *data;
    if (fsattn_file_read(FSATTN_SOURCE_DIR "/tests/data/sim/planted.co", 1 << 20, &data, &bytes, NULL) != FSATTN_OK) {
        wrong("planted.co", 0);
    }
    code = (unsigned char *)data;
    sim_disassemble_key(data, bytes, key);
    snprintf(path, sizeof path, FSATTN_SOURCE_DIR "/tests/data/sim/%s.s", key);
    if (fsattn_file_read(path, 1 << 24, &text, &text_bytes, NULL) != FSATTN_OK || !mkdtemp(folder)) {
        wrong(path, 0);
    }
    setenv("FSATTN_SIM_CACHE", folder, 1);
    setenv("FSATTN_ROCM_ROOT", "/nowhere", 1);
    setenv("FSATTN_SIM_QUIET", "1", 1);
    open_library();
    open_module(bytes, text_bytes, true, 0);
    if (loaded != 1 || !ran || !faulted || load_through_hip(code, bytes, 0) != hip_success) {
        wrong("the undamaged file does not load and run", ran);
    }
    damage_segments();
    damage_metadata();
    damage_bundles();
    damage_bytes();
    cut();
    damage_text();
    rmdir(folder);
    printf("%zu loaded, %zu refused; of what was launched %zu ran, %zu faulted\n", loaded, refused, ran, faulted);
    fsattn_free(heap.blocks);
    fsattn_free(data);
    fsattn_free(text);
    return 0;
}
