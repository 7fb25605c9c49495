#include "sim_module.h"

#include "error.h"
#include "sim_disassemble.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    page = 4096,
    reloc_abs64 = 3,
    reloc_relative64 = 13,
    descriptor_bytes = 64,
    bundle_limit = 64,
    kernarg_limit = 64 << 10, /* HIP's own is 4 KiB */
    scratch_limit = 131056,   /* of a lane: LLVM, AMDGPU: a wave of gfx9 has at most 8191 KiB */
};
static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__", compressed_magic[] = "CCOB";
static const uint64_t file_limit = (uint64_t)1 << 32, image_limit = (uint64_t)1 << 30;

/* ---- sizes -------------------------------------------------------------------------------------------- */

/* Copies without faulting where the memory is not mapped: HIP's call gives no size, and a damaged file's tables may claim any. */
static bool read_memory(void *to, const void *from, size_t bytes) {
    const struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (got < 0 && (errno == ENOSYS || errno == EPERM)) {
        memcpy(to, from, bytes); /* the kernel does not let us look first */
        return true;
    }
    return got == (ssize_t)bytes;
}

static size_t elf_bytes(const unsigned char *elf) {
    Elf64_Ehdr header;
    if (!read_memory(&header, elf, sizeof header)) {
        return 0;
    }
    uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
    for (unsigned i = 0; i < header.e_phnum && header.e_phentsize == sizeof(Elf64_Phdr); i++) {
        Elf64_Phdr segment;
        if (header.e_phoff > file_limit || !read_memory(&segment, elf + header.e_phoff + i * sizeof segment, sizeof segment)) {
            return 0;
        }
        const uint64_t segment_end = segment.p_offset + segment.p_filesz;
        end = segment_end > end ? segment_end : end;
    }
    return end >= sizeof header && end < file_limit ? (size_t)end : 0;
}

static size_t bundle_bytes(const unsigned char *bundle) {
    uint64_t count, end = 0;
    const unsigned char *at = bundle + sizeof bundle_magic - 1;
    if (!read_memory(&count, at, sizeof count)) {
        return 0;
    }
    at += sizeof count;
    for (uint64_t i = 0; i < count && i < bundle_limit; i++) {
        uint64_t fields[3]; /* offset, size, length of the id */
        if (!read_memory(fields, at, sizeof fields) || fields[2] > page) {
            return 0;
        }
        at += sizeof fields + fields[2];
        end = fields[0] + fields[1] > end ? fields[0] + fields[1] : end;
    }
    return end < file_limit ? (size_t)end : 0;
}

size_t sim_module_bytes(const void *image) {
    char magic[sizeof bundle_magic - 1];
    if (read_memory(magic, image, SELFMAG) && !memcmp(magic, ELFMAG, SELFMAG)) {
        return elf_bytes(image);
    }
    if (read_memory(magic, image, SELFMAG) && !memcmp(magic, compressed_magic, SELFMAG)) {
        return SELFMAG; /* enough to refuse it by its name */
    }
    return read_memory(magic, image, sizeof magic) && !memcmp(magic, bundle_magic, sizeof magic) ? bundle_bytes(image) : 0;
}

/* ---- the image ---------------------------------------------------------------------------------------- */

static bool inside(uint64_t total, uint64_t offset, uint64_t bytes) {
    return offset <= total && bytes <= total - offset;
}
static Elf64_Ehdr header_of(const sim_module *m) {
    Elf64_Ehdr header; /* fsattn_code_object_init has checked the tables */
    memcpy(&header, m->object.elf, sizeof header);
    return header;
}
static Elf64_Phdr segment_of(const sim_module *m, unsigned i) {
    Elf64_Phdr segment;
    memcpy(&segment, m->object.elf + header_of(m).e_phoff + i * sizeof segment, sizeof segment);
    return segment;
}
static Elf64_Shdr section_of(const sim_module *m, unsigned i) {
    Elf64_Shdr section;
    memcpy(&section, m->object.elf + header_of(m).e_shoff + i * sizeof section, sizeof section);
    return section;
}

static fsattn_status load_segments(sim_module *m, fsattn_err *err) {
    const unsigned count = header_of(m).e_phnum;
    uint64_t end = 0;
    for (unsigned i = 0; i < count; i++) {
        const Elf64_Phdr segment = segment_of(m, i);
        if (segment.p_type != PT_LOAD) {
            continue;
        }
        if (!inside(m->object.elf_bytes, segment.p_offset, segment.p_filesz) || segment.p_filesz > segment.p_memsz ||
            !inside(UINT64_MAX, segment.p_vaddr, segment.p_memsz)) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: segment %u reaches beyond the end", m->name, i);
        }
        if (!inside(image_limit, segment.p_vaddr, segment.p_memsz)) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: segment %u ends at 0x%llx, an image has at most 0x%llx bytes here", m->name, i,
                               (unsigned long long)(segment.p_vaddr + segment.p_memsz), (unsigned long long)image_limit);
        }
        end = segment.p_vaddr + segment.p_memsz > end ? segment.p_vaddr + segment.p_memsz : end;
    }
    m->image_bytes = (size_t)((end + page - 1) / page * page);
    m->image_memory = fsattn_alloc(m->image_bytes + page, 1);
    m->image = (unsigned char *)(((uintptr_t)m->image_memory + page - 1) / page * page);
    if (!m->image_memory) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory for an image of %zu bytes", m->name, m->image_bytes);
    }
    for (unsigned i = 0; i < count; i++) {
        const Elf64_Phdr segment = segment_of(m, i);
        if (segment.p_type == PT_LOAD) {
            memcpy(m->image + segment.p_vaddr, m->object.elf + segment.p_offset, segment.p_filesz);
        }
    }
    return FSATTN_OK;
}

/* The dynamic symbol table and its names, checked to lie in the file. */
typedef struct symbols {
    const unsigned char *table;
    const char *names;
    size_t count, names_bytes;
} symbols;
static bool find_symbols(const sim_module *m, symbols *found) {
    const Elf64_Ehdr header = header_of(m);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        const Elf64_Shdr table = section_of(m, i);
        if (table.sh_type != SHT_DYNSYM || table.sh_link >= header.e_shnum) {
            continue;
        }
        const Elf64_Shdr names = section_of(m, table.sh_link);
        if (!inside(m->object.elf_bytes, table.sh_offset, table.sh_size) ||
            !inside(m->object.elf_bytes, names.sh_offset, names.sh_size)) {
            continue;
        }
        *found = (symbols){m->object.elf + table.sh_offset, (const char *)m->object.elf + names.sh_offset,
                           (size_t)(table.sh_size / sizeof(Elf64_Sym)), (size_t)names.sh_size};
        return true;
    }
    return false;
}
static Elf64_Sym symbol_at(const symbols *s, size_t i) {
    Elf64_Sym symbol;
    memcpy(&symbol, s->table + i * sizeof symbol, sizeof symbol);
    return symbol;
}

/* A name need not end in the table. */
static const char *symbol_name(const symbols *s, size_t at, char name[100]) {
    const size_t left = at < s->names_bytes ? s->names_bytes - at : 0;
    snprintf(name, 100, "%.*s", (int)(left < 99 ? left : 99), left ? s->names + at : "");
    return name;
}

static fsattn_status relocate_one(sim_module *m, const symbols *s, const Elf64_Rela *r, fsattn_err *err) {
    const uint64_t base = (uintptr_t)m->image, type = ELF64_R_TYPE(r->r_info), index = ELF64_R_SYM(r->r_info);
    uint64_t value = base + (uint64_t)r->r_addend;
    if (!inside(m->image_bytes, r->r_offset, sizeof value)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: a relocation outside the image", m->name);
    }
    if (type == reloc_abs64) {
        const Elf64_Sym symbol = index < s->count ? symbol_at(s, index) : (Elf64_Sym){0};
        if (symbol.st_shndx == SHN_UNDEF) {
            char name[100];
            return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: undefined symbol '%s'", m->name,
                               symbol_name(s, symbol.st_name, name));
        }
        value += symbol.st_value;
    } else if (type != reloc_relative64) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: relocation of type %llu", m->name, (unsigned long long)type);
    }
    memcpy(m->image + r->r_offset, &value, sizeof value);
    return FSATTN_OK;
}
static fsattn_status relocate(sim_module *m, fsattn_err *err) {
    symbols s = {0};
    find_symbols(m, &s);
    for (unsigned i = 0; i < header_of(m).e_shnum; i++) {
        const Elf64_Shdr section = section_of(m, i);
        if (section.sh_type != SHT_RELA || !(section.sh_flags & SHF_ALLOC)) {
            continue;
        }
        if (!inside(m->object.elf_bytes, section.sh_offset, section.sh_size)) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: relocations reach beyond the end", m->name);
        }
        for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.sh_size; at += sizeof(Elf64_Rela)) {
            Elf64_Rela r;
            memcpy(&r, m->object.elf + section.sh_offset + at, sizeof r);
            FSATTN_TRY(relocate_one(m, &s, &r, err));
        }
    }
    return FSATTN_OK;
}

/* ---- kernels ------------------------------------------------------------------------------------------ */

static uint32_t word_at(const unsigned char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}
/* LLVM's "User Guide for AMDGPU Backend", kernel descriptor. */
static fsattn_status read_descriptors(sim_module *m, fsattn_err *err) {
    m->kernels = fsattn_alloc(m->object.kernel_count, sizeof *m->kernels);
    if (!m->kernels) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", m->name);
    }
    for (size_t i = 0; i < m->object.kernel_count; i++) {
        const fsattn_code_kernel *info = &m->object.kernels[i];
        if (!inside(m->image_bytes, info->descriptor_address, descriptor_bytes)) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: kernel %s: descriptor outside the image", m->name, info->name);
        }
        if (info->kernarg_bytes > kernarg_limit || info->scratch_bytes > scratch_limit) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: kernel %s: %u bytes of arguments and %u of scratch, there are at most %d and %d",
                               m->name, info->name, info->kernarg_bytes, info->scratch_bytes, kernarg_limit, scratch_limit);
        }
        const unsigned char *d = m->image + info->descriptor_address;
        m->kernels[i] = (sim_kernel){
            .info = info, .module = m, .entry = sim_program_find(&m->program, info->entry_address),
            .rsrc3 = word_at(d + 44), .rsrc1 = word_at(d + 48), .rsrc2 = word_at(d + 52),
            .properties = word_at(d + 56) & 0xffff, .preload = word_at(d + 56) >> 16,
        };
        if (m->kernels[i].entry == UINT32_MAX) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: kernel %s: no instruction at its entry", m->name, info->name);
        }
    }
    return FSATTN_OK;
}

fsattn_status sim_module_open(sim_heap *heap, const char *name, const void *data, size_t bytes, sim_module **module, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    char *text = NULL;
    sim_module *m = fsattn_alloc(1, sizeof *m);
    if (!m) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
    }
    snprintf(m->name, sizeof m->name, "%s", name);
    unsigned char last;
    if (!bytes || !read_memory(&last, (const unsigned char *)data + bytes - 1, 1)) { /* before there is memory for what is not there */
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: its tables reach beyond its end", name);
        goto out;
    }
    m->bytes = fsattn_alloc(bytes, 1);
    if (!m->bytes) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
        goto out;
    }
    if (!read_memory(m->bytes, data, bytes)) {
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: its tables reach beyond its end", name);
        goto out;
    }
    FSATTN_GOTO(fsattn_code_object_init(&m->object, name, m->bytes, bytes, "gfx950", err));
    FSATTN_GOTO(load_segments(m, err));
    FSATTN_GOTO(relocate(m, err));
    FSATTN_GOTO(sim_disassemble(name, m->object.elf, m->object.elf_bytes, &text, err));
    FSATTN_GOTO(sim_program_init(&m->program, name, text, err));
    FSATTN_GOTO(read_descriptors(m, err));
    FSATTN_GOTO(sim_heap_add(heap, m->image, m->image_bytes, "code object"));
    m->heap = heap;
out:
    fsattn_free(text);
    if (status != FSATTN_OK) {
        sim_module_close(m);
        return status;
    }
    *module = m;
    return FSATTN_OK;
}

void sim_module_close(sim_module *module) {
    if (!module) {
        return;
    }
    if (module->heap) {
        sim_heap_remove(module->heap, module->image);
    }
    sim_program_fini(&module->program);
    fsattn_code_object_fini(&module->object);
    fsattn_free(module->kernels);
    fsattn_free(module->image_memory);
    fsattn_free(module->bytes);
    fsattn_free(module);
}

const sim_kernel *sim_module_kernel(const sim_module *module, const char *name) {
    for (size_t i = 0; i < module->object.kernel_count; i++) {
        if (!strcmp(module->object.kernels[i].name, name)) {
            return &module->kernels[i];
        }
    }
    return NULL;
}

bool sim_module_variable(const sim_module *module, const char *name, void **address, size_t *bytes) {
    symbols s;
    const size_t length = strlen(name) + 1;
    if (!find_symbols(module, &s)) {
        return false;
    }
    for (size_t i = 0; i < s.count; i++) {
        const Elf64_Sym symbol = symbol_at(&s, i);
        if (inside(s.names_bytes, symbol.st_name, length) && !memcmp(s.names + symbol.st_name, name, length) &&
            ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
            inside(module->image_bytes, symbol.st_value, symbol.st_size)) {
            *address = module->image + symbol.st_value;
            *bytes = (size_t)symbol.st_size;
            return true;
        }
    }
    return false;
}
