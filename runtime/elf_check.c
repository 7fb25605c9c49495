#include "elf_check.h"

#include "error.h"

#include <elf.h>
#include <string.h>

#if defined(__x86_64__)
enum { elf_machine = EM_X86_64, relocation_relative = R_X86_64_RELATIVE };
#elif defined(__aarch64__)
enum { elf_machine = EM_AARCH64, relocation_relative = R_AARCH64_RELATIVE };
#else
#error "host kernels: the ELF machine and its relative relocation are not known for this processor"
#endif

enum { segment_limit = 64, name_limit = 512 };
static const uint64_t memory_limit = (uint64_t)1 << 30; /* of one segment in memory */
static const uint64_t page = 4096;

typedef struct image {
    const uint8_t *bytes;
    uint64_t size;
    Elf64_Phdr segments[segment_limit]; /* PT_LOAD only */
    size_t segment_count;
    Elf64_Phdr dynamic, sealed; /* sealed: PT_GNU_RELRO, what the loader makes read-only when it has bound it */
    /* virtual addresses and sizes from the dynamic section, 0 when absent */
    uint64_t strings, strings_bytes, symbols, hash, gnu_hash, plt_got;
    uint64_t relocations[2], relocation_bytes[2]; /* DT_RELA, DT_JMPREL */
} image;

static bool fetch(const image *elf, uint64_t offset, void *out, size_t bytes) {
    if (offset > elf->size || elf->size - offset < bytes) {
        return false;
    }
    memcpy(out, elf->bytes + offset, bytes);
    return true;
}

/* The segment that holds [address, address + bytes) in its file part. */
static const Elf64_Phdr *segment_at(const image *elf, uint64_t address, uint64_t bytes) {
    for (size_t i = 0; i < elf->segment_count; i++) {
        const Elf64_Phdr *segment = &elf->segments[i];
        if (address >= segment->p_vaddr && address - segment->p_vaddr <= segment->p_filesz &&
            segment->p_filesz - (address - segment->p_vaddr) >= bytes) {
            return segment;
        }
    }
    return NULL;
}

static bool fetch_at(const image *elf, uint64_t address, void *out, size_t bytes) {
    const Elf64_Phdr *segment = segment_at(elf, address, bytes);
    return segment && fetch(elf, segment->p_offset + (address - segment->p_vaddr), out, bytes);
}

static fsattn_status corrupt(fsattn_err *err, const char *what) {
    return fsattn_fail(err, FSATTN_CORRUPT, "damaged ELF object: %s", what);
}

static fsattn_status refuse(fsattn_err *err, const char *what, const char *fix) {
    fsattn_fail(err, FSATTN_UNSUPPORTED, "not a host kernel: %s", what);
    fsattn_hint(err, "%s", fix);
    return FSATTN_UNSUPPORTED;
}

/* ---- headers ------------------------------------------------------------------------------- */

static fsattn_status check_header(const image *elf, Elf64_Ehdr *header, fsattn_err *err) {
    if (!fetch(elf, 0, header, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG)) {
        return corrupt(err, "no ELF header");
    }
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != elf_machine) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "not a host kernel: made for another machine (ELF machine %u)",
                           (unsigned)header->e_machine);
    }
    if (header->e_type != ET_DYN || header->e_ident[EI_VERSION] != EV_CURRENT) {
        return refuse(err, "not a shared object", "link with -shared");
    }
    if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum == 0 || header->e_phnum > segment_limit) {
        return corrupt(err, "program header table");
    }
    return FSATTN_OK;
}

static fsattn_status add_load(image *elf, const Elf64_Phdr *segment, fsattn_err *err) {
    if (segment->p_offset > elf->size || elf->size - segment->p_offset < segment->p_filesz ||
        segment->p_memsz < segment->p_filesz || segment->p_memsz > memory_limit ||
        segment->p_vaddr > UINT64_MAX - segment->p_memsz - memory_limit) {
        return corrupt(err, "a segment lies outside the file");
    }
    if (segment->p_align > 1 && ((segment->p_align & (segment->p_align - 1)) ||
                                 (segment->p_vaddr - segment->p_offset) % segment->p_align)) {
        return corrupt(err, "alignment of a segment");
    }
    if (elf->segment_count && segment->p_vaddr < elf->segments[elf->segment_count - 1].p_vaddr +
                                                     elf->segments[elf->segment_count - 1].p_memsz) {
        return corrupt(err, "segments overlap or are out of order");
    }
    if ((segment->p_flags & PF_W) && (segment->p_flags & PF_X)) {
        return refuse(err, "a segment is both writable and executable", "link without -z execstack and -N");
    }
    elf->segments[elf->segment_count++] = *segment;
    return FSATTN_OK;
}

static fsattn_status check_segments(image *elf, const Elf64_Ehdr *header, fsattn_err *err) {
    bool dynamic = false;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        if (header->e_phoff > elf->size ||
            !fetch(elf, header->e_phoff + i * sizeof segment, &segment, sizeof segment)) {
            return corrupt(err, "program header table");
        }
        switch (segment.p_type) {
        case PT_LOAD:
            FSATTN_TRY(add_load(elf, &segment, err));
            break;
        case PT_DYNAMIC:
            elf->dynamic = segment;
            dynamic = true;
            break;
        case PT_GNU_RELRO:
            elf->sealed = segment;
            break;
        case PT_TLS:
            return refuse(err, "it has thread-local variables", "keep all state in the work item and its scratch");
        case PT_INTERP:
            return refuse(err, "it is a program (PT_INTERP)", "link with -shared");
        case PT_GNU_STACK:
            if (segment.p_flags & PF_X) {
                return refuse(err, "it asks for an executable stack", "link without -z execstack");
            }
            break;
        default: /* notes, unwind tables: not acted on by code that matters here */
            break;
        }
    }
    if (!dynamic || !elf->segment_count) {
        return corrupt(err, "no dynamic section or nothing to load");
    }
    if (elf->segments[0].p_vaddr >= memory_limit ||
        elf->segments[elf->segment_count - 1].p_vaddr >= 8 * memory_limit) {
        return corrupt(err, "addresses of its segments");
    }
    return FSATTN_OK;
}

/* ---- dynamic section ----------------------------------------------------------------------- */

/* Tags that say why they are refused; every tag that is neither here nor collected below is refused by its number. */
static const struct {
    int64_t tag;
    const char *what, *fix;
} refused_tags[] = {
    {DT_NEEDED, "it needs other libraries", "link with -nostdlib"},
    {DT_INIT, "it has a constructor (DT_INIT)", "link with -nostartfiles"},
    {DT_INIT_ARRAY, "it has constructors (DT_INIT_ARRAY)", "no constructors; link with -nostartfiles"},
    {DT_PREINIT_ARRAY, "it has constructors (DT_PREINIT_ARRAY)", "no constructors; link with -nostartfiles"},
    {DT_FINI, "it has a destructor (DT_FINI)", "link with -nostartfiles"},
    {DT_FINI_ARRAY, "it has destructors (DT_FINI_ARRAY)", "no destructors; link with -nostartfiles"},
    {DT_TEXTREL, "it has text relocations", "compile with -fPIC"},
    {DT_RPATH, "it has a library search path", "link without -rpath"},
    {DT_RUNPATH, "it has a library search path", "link without -rpath"},
    {DT_SONAME, "it has a library name (DT_SONAME)", "link without -soname"},
    {DT_VERNEED, "it needs symbol versions of other libraries", "link with -nostdlib"},
};

static fsattn_status take_tag(image *elf, const Elf64_Dyn *entry, fsattn_err *err) {
    const struct {
        int64_t tag;
        uint64_t *place;         /* where the value goes, or NULL */
        uint64_t mask, expected; /* allowed when value & mask == expected */
    } rows[] = {
        {DT_HASH, &elf->hash, 0, 0},
        {DT_GNU_HASH, &elf->gnu_hash, 0, 0},
        {DT_STRTAB, &elf->strings, 0, 0},
        {DT_STRSZ, &elf->strings_bytes, 0, 0},
        {DT_SYMTAB, &elf->symbols, 0, 0},
        {DT_SYMENT, NULL, UINT64_MAX, sizeof(Elf64_Sym)},
        {DT_RELA, &elf->relocations[0], 0, 0},
        {DT_RELASZ, &elf->relocation_bytes[0], 0, 0},
        {DT_RELAENT, NULL, UINT64_MAX, sizeof(Elf64_Rela)},
        {DT_JMPREL, &elf->relocations[1], 0, 0},
        {DT_PLTRELSZ, &elf->relocation_bytes[1], 0, 0},
        {DT_PLTREL, NULL, UINT64_MAX, DT_RELA},
        {DT_PLTGOT, &elf->plt_got, 0, 0},
        {DT_RELACOUNT, NULL, 0, 0},
        {DT_SYMBOLIC, NULL, 0, 0},
        {DT_BIND_NOW, NULL, 0, 0},
        {DT_FLAGS, NULL, ~(uint64_t)(DF_SYMBOLIC | DF_BIND_NOW), 0},
        {DT_FLAGS_1, NULL, ~(uint64_t)DF_1_NOW, 0},
    };
    for (size_t i = 0; i < sizeof refused_tags / sizeof refused_tags[0]; i++) {
        if (refused_tags[i].tag == entry->d_tag) {
            return refuse(err, refused_tags[i].what, refused_tags[i].fix);
        }
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].tag == entry->d_tag && (entry->d_un.d_val & rows[i].mask) == rows[i].expected) {
            if (rows[i].place) {
                *rows[i].place = entry->d_un.d_val;
            }
            return FSATTN_OK;
        }
    }
    return fsattn_fail(err, FSATTN_UNSUPPORTED, "not a host kernel: dynamic entry 0x%llx with value 0x%llx",
                       (unsigned long long)entry->d_tag, (unsigned long long)entry->d_un.d_val);
}

static fsattn_status read_dynamic(image *elf, fsattn_err *err) {
    for (uint64_t at = 0;; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        if (at + sizeof entry > elf->dynamic.p_memsz || !fetch_at(elf, elf->dynamic.p_vaddr + at, &entry, sizeof entry)) {
            return corrupt(err, "the dynamic section does not end inside its segment");
        }
        if (entry.d_tag == DT_NULL) {
            break;
        }
        FSATTN_TRY(take_tag(elf, &entry, err));
    }
    char last;
    if (!elf->strings || !elf->strings_bytes || !elf->symbols || (!elf->hash && !elf->gnu_hash) ||
        !segment_at(elf, elf->strings, elf->strings_bytes) ||
        !fetch_at(elf, elf->strings + elf->strings_bytes - 1, &last, 1) || last != '\0') {
        return corrupt(err, "symbol or string table");
    }
    return FSATTN_OK;
}

/* ---- symbols and relocations --------------------------------------------------------------- */

/* One word of the GNU hash table's part that begins `words` 32-bit words after its start. */
static bool gnu_word(const image *elf, uint64_t words, uint32_t *value) {
    return words < elf->size && fetch_at(elf, elf->gnu_hash + 4 * words, value, sizeof *value);
}

/* Number of dynamic symbols, from whichever hash table there is; they are counted nowhere else. */
static bool symbol_count(const image *elf, uint64_t *count) {
    uint32_t word, buckets, offset, bloom_words;
    if (elf->hash) {
        if (!fetch_at(elf, elf->hash + 4, &word, sizeof word)) {
            return false;
        }
        *count = word;
        return true;
    }
    if (!gnu_word(elf, 0, &buckets) || !gnu_word(elf, 1, &offset) || !gnu_word(elf, 2, &bloom_words)) {
        return false;
    }
    uint64_t first_bucket = 4 + 2 * (uint64_t)bloom_words, chains = first_bucket + buckets, last = 0;
    for (uint64_t i = 0; i < buckets; i++) {
        if (!gnu_word(elf, first_bucket + i, &word)) {
            return false;
        }
        last = word > last ? word : last;
    }
    if (last < offset) { /* nothing hashed */
        *count = offset;
        return true;
    }
    do {
        if (!gnu_word(elf, chains + (last - offset), &word)) {
            return false;
        }
        last++;
    } while (!(word & 1)); /* the lowest bit ends a chain */
    *count = last;
    return true;
}

static bool symbol_name(const image *elf, const Elf64_Sym *symbol, char name[name_limit]) {
    name[0] = '\0';
    if (symbol->st_name >= elf->strings_bytes) {
        return false;
    }
    for (uint64_t i = 0; i < name_limit - 1; i++) { /* the table ends with a NUL */
        if (!fetch_at(elf, elf->strings + symbol->st_name + i, &name[i], 1) || name[i] == '\0') {
            break;
        }
        name[i + 1] = '\0';
    }
    return true;
}

static bool symbol_at(const image *elf, uint64_t index, Elf64_Sym *symbol, char name[name_limit]) {
    return index < elf->size && fetch_at(elf, elf->symbols + index * sizeof *symbol, symbol, sizeof *symbol) &&
           symbol_name(elf, symbol, name);
}

static fsattn_status check_symbols(const image *elf, fsattn_err *err) {
    uint64_t count;
    if (!symbol_count(elf, &count)) {
        return corrupt(err, "symbol hash table");
    }
    for (uint64_t i = 1; i < count; i++) {
        Elf64_Sym symbol;
        char name[name_limit];
        if (!symbol_at(elf, i, &symbol, name)) {
            return corrupt(err, "symbol table");
        }
        unsigned type = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF) {
            fsattn_fail(err, FSATTN_UNSUPPORTED, "not a host kernel: undefined symbol '%.400s'", name);
            fsattn_hint(err, "a kernel brings everything it calls; no libc, no libm");
            return FSATTN_UNSUPPORTED;
        }
        if (type == STT_GNU_IFUNC || type == STT_TLS || binding == STB_GNU_UNIQUE) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED,
                               "not a host kernel: symbol '%.400s' is an indirect function, thread-local or unique", name);
        }
    }
    return FSATTN_OK;
}

static fsattn_status check_relocations(const image *elf, uint64_t address, uint64_t bytes, fsattn_err *err) {
    for (uint64_t at = 0; at < bytes; at += sizeof(Elf64_Rela)) {
        Elf64_Rela relocation;
        Elf64_Sym symbol;
        char name[name_limit];
        if (!fetch_at(elf, address + at, &relocation, sizeof relocation)) {
            return corrupt(err, "relocation table");
        }
        if (ELF64_R_TYPE(relocation.r_info) != relocation_relative) {
            if (!ELF64_R_SYM(relocation.r_info) || !symbol_at(elf, ELF64_R_SYM(relocation.r_info), &symbol, name)) {
                return refuse(err, "a relocation that is not relative", "compile with -fPIC -fvisibility=hidden");
            }
            fsattn_fail(err, FSATTN_UNSUPPORTED,
                        "not a host kernel: '%.400s' is bound by name when it is loaded, and could be bound to another", name);
            fsattn_hint(err, "make it static or hidden; only the entry is exported");
            return FSATTN_UNSUPPORTED;
        }
        const Elf64_Phdr *segment = segment_at(elf, relocation.r_offset, sizeof(uint64_t));
        if (!segment || !(segment->p_flags & PF_W)) {
            return corrupt(err, "a relocation outside the writable data");
        }
    }
    return FSATTN_OK;
}

/* The end of the first part of the linker's own that holds the address, or the address itself: the dynamic section, what is sealed
 * (whole pages only, as the loader does it), and the three words that open the table of a lazy linkage. */
static uint64_t linker_owned_until(const image *elf, uint64_t address) {
    const struct {
        uint64_t start, end;
    } parts[] = {
        {elf->dynamic.p_vaddr, elf->dynamic.p_vaddr + elf->dynamic.p_memsz},
        {elf->sealed.p_vaddr, (elf->sealed.p_vaddr + elf->sealed.p_memsz) & ~(page - 1)},
        {elf->plt_got, elf->plt_got + 3 * sizeof(uint64_t)},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (address >= parts[i].start && address < parts[i].end) {
            return parts[i].end;
        }
    }
    return address;
}

/* Nothing that can be written may be the kernel's: what one item leaves there, another one would find. */
static fsattn_status check_state(const image *elf, fsattn_err *err) {
    for (size_t i = 0; i < elf->segment_count; i++) {
        const Elf64_Phdr *segment = &elf->segments[i];
        uint64_t at = segment->p_vaddr, end = at + segment->p_memsz, next;
        if (!(segment->p_flags & PF_W)) {
            continue;
        }
        while (at < end && (next = linker_owned_until(elf, at)) > at) {
            at = next;
        }
        if (at < end) {
            fsattn_fail(err, FSATTN_UNSUPPORTED, "not a host kernel: it has %llu bytes of variables that outlive a call",
                        (unsigned long long)(end - at));
            fsattn_hint(err, "keep all state in the work item and its scratch; make tables const");
            return FSATTN_UNSUPPORTED;
        }
    }
    return FSATTN_OK;
}

static fsattn_status parse(image *elf, const void *bytes, size_t size, fsattn_err *err) {
    Elf64_Ehdr header;
    *elf = (image){.bytes = bytes, .size = size};
    FSATTN_TRY(check_header(elf, &header, err));
    FSATTN_TRY(check_segments(elf, &header, err));
    return read_dynamic(elf, err);
}

fsattn_status fsattn_elf_check(const void *bytes, size_t size, fsattn_err *err) {
    image elf;
    FSATTN_TRY(parse(&elf, bytes, size, err));
    FSATTN_TRY(check_symbols(&elf, err));
    for (size_t i = 0; i < 2; i++) {
        FSATTN_TRY(check_relocations(&elf, elf.relocations[i], elf.relocation_bytes[i], err));
    }
    return check_state(&elf, err);
}

fsattn_status fsattn_elf_check_entry(const void *bytes, size_t size, const char *entry, fsattn_err *err) {
    image elf;
    uint64_t count;
    FSATTN_TRY(parse(&elf, bytes, size, err));
    if (!symbol_count(&elf, &count)) {
        return corrupt(err, "symbol hash table");
    }
    for (uint64_t i = 1; i < count; i++) {
        Elf64_Sym symbol;
        char name[name_limit];
        if (!symbol_at(&elf, i, &symbol, name)) {
            return corrupt(err, "symbol table");
        }
        if (strcmp(name, entry)) {
            continue;
        }
        const Elf64_Phdr *segment = segment_at(&elf, symbol.st_value, 1);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && segment && (segment->p_flags & PF_X)) {
            return FSATTN_OK;
        }
        return fsattn_fail(err, FSATTN_NOT_FOUND, "'%s' is not a function", entry);
    }
    return fsattn_fail(err, FSATTN_NOT_FOUND, "no exported function '%s'", entry);
}
