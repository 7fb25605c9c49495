#include "code_object.h"

#include "error.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum {
    em_amdgpu = 224,
    note_amdgpu_metadata = 32,
    kernels_max = 4096,
    arguments_max = 1024,
    descriptor_bytes = 64,
    descriptor_entry_offset = 16, /* int64_t: entry minus the descriptor's own address */
    nesting_max = 16,
};

/* ---- MessagePack: a cursor that never leaves its bytes; `failed` is sticky ----------------------- */

typedef struct cursor {
    const unsigned char *at, *end;
    bool failed;
} cursor;

typedef enum value_kind { VALUE_INT, VALUE_TEXT, VALUE_MAP, VALUE_ARRAY, VALUE_OTHER } value_kind;

typedef struct value {
    value_kind kind;
    uint64_t number;  /* VALUE_INT, and booleans as VALUE_INT 0 or 1; count of VALUE_MAP and VALUE_ARRAY */
    const char *text; /* VALUE_TEXT, not terminated */
    size_t bytes;
} value;

static uint64_t take_number(cursor *c, size_t bytes) {
    uint64_t number = 0;
    if (c->failed || (size_t)(c->end - c->at) < bytes) {
        c->failed = true;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        number = number << 8 | *c->at++;
    }
    return number;
}

static value take_text(cursor *c, uint64_t bytes, value_kind kind) {
    value v = {.kind = kind, .text = (const char *)c->at, .bytes = (size_t)bytes};
    if (c->failed || (uint64_t)(c->end - c->at) < bytes) {
        c->failed = true;
        return (value){.kind = VALUE_OTHER};
    }
    c->at += bytes;
    return v;
}

/* How a first byte of 0xc0 .. 0xdf continues: what it is and the width of the number that follows. */
static const struct {
    value_kind kind;
    unsigned char width;
} long_forms[32] = {
    [0x00] = {VALUE_OTHER, 0}, [0x02] = {VALUE_INT, 0},   [0x03] = {VALUE_INT, 0},   [0x0c] = {VALUE_INT, 1},
    [0x0d] = {VALUE_INT, 2},   [0x0e] = {VALUE_INT, 4},   [0x0f] = {VALUE_INT, 8},   [0x10] = {VALUE_INT, 1},
    [0x11] = {VALUE_INT, 2},   [0x12] = {VALUE_INT, 4},   [0x13] = {VALUE_INT, 8},   [0x19] = {VALUE_TEXT, 1},
    [0x1a] = {VALUE_TEXT, 2},  [0x1b] = {VALUE_TEXT, 4},  [0x1c] = {VALUE_ARRAY, 2}, [0x1d] = {VALUE_ARRAY, 4},
    [0x1e] = {VALUE_MAP, 2},   [0x1f] = {VALUE_MAP, 4},
};

static value take_value(cursor *c) {
    unsigned first = (unsigned)take_number(c, 1);
    if (first < 0x80) {
        return (value){.kind = VALUE_INT, .number = first};
    }
    if (first < 0x90) {
        return (value){.kind = VALUE_MAP, .number = first & 15};
    }
    if (first < 0xa0) {
        return (value){.kind = VALUE_ARRAY, .number = first & 15};
    }
    if (first < 0xc0) {
        return take_text(c, first & 31, VALUE_TEXT);
    }
    if (first >= 0xe0) {
        return (value){.kind = VALUE_INT, .number = (uint64_t)(int64_t)(int8_t)first};
    }
    if (first == 0xc2 || first == 0xc3) {
        return (value){.kind = VALUE_INT, .number = first & 1};
    }
    value_kind kind = long_forms[first & 31].kind;
    unsigned width = long_forms[first & 31].width;
    if (first != 0xc0 && width == 0) {
        c->failed = true; /* binary, floats and extensions do not occur in code object metadata */
        return (value){.kind = VALUE_OTHER};
    }
    uint64_t number = take_number(c, width);
    return kind == VALUE_TEXT ? take_text(c, number, kind) : (value){.kind = kind, .number = number};
}

static void skip_value(cursor *c, int nesting) {
    value v = take_value(c);
    if (v.kind != VALUE_MAP && v.kind != VALUE_ARRAY) {
        return;
    }
    if (nesting == nesting_max) {
        c->failed = true;
    }
    uint64_t left = v.kind == VALUE_MAP ? 2 * v.number : v.number;
    while (left-- && !c->failed) {
        skip_value(c, nesting + 1);
    }
}

static bool text_is(const value *v, const char *text) {
    return v->kind == VALUE_TEXT && v->bytes == strlen(text) && !memcmp(v->text, text, v->bytes);
}

/* ---- metadata ------------------------------------------------------------------------------------ */

typedef enum field_kind { FIELD_TEXT, FIELD_NUMBER, FIELD_BOOL } field_kind;

typedef struct field {
    const char *key;
    field_kind kind;
    size_t offset;
} field;

static const field kernel_fields[] = {
    {".name", FIELD_TEXT, offsetof(fsattn_code_kernel, name)},
    {".symbol", FIELD_TEXT, offsetof(fsattn_code_kernel, symbol)},
    {".kernarg_segment_size", FIELD_NUMBER, offsetof(fsattn_code_kernel, kernarg_bytes)},
    {".kernarg_segment_align", FIELD_NUMBER, offsetof(fsattn_code_kernel, kernarg_align)},
    {".group_segment_fixed_size", FIELD_NUMBER, offsetof(fsattn_code_kernel, lds_bytes)},
    {".private_segment_fixed_size", FIELD_NUMBER, offsetof(fsattn_code_kernel, scratch_bytes)},
    {".vgpr_count", FIELD_NUMBER, offsetof(fsattn_code_kernel, vgprs)},
    {".agpr_count", FIELD_NUMBER, offsetof(fsattn_code_kernel, agprs)},
    {".sgpr_count", FIELD_NUMBER, offsetof(fsattn_code_kernel, sgprs)},
    {".vgpr_spill_count", FIELD_NUMBER, offsetof(fsattn_code_kernel, vgpr_spills)},
    {".sgpr_spill_count", FIELD_NUMBER, offsetof(fsattn_code_kernel, sgpr_spills)},
    {".wavefront_size", FIELD_NUMBER, offsetof(fsattn_code_kernel, wavefront)},
    {".max_flat_workgroup_size", FIELD_NUMBER, offsetof(fsattn_code_kernel, threads_max)},
    {".uses_dynamic_stack", FIELD_BOOL, offsetof(fsattn_code_kernel, dynamic_stack)},
};

static const field argument_fields[] = {
    {".offset", FIELD_NUMBER, offsetof(fsattn_code_argument, offset)},
    {".size", FIELD_NUMBER, offsetof(fsattn_code_argument, bytes)},
    {".value_kind", FIELD_TEXT, offsetof(fsattn_code_argument, kind)},
    {".name", FIELD_TEXT, offsetof(fsattn_code_argument, name)},
};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *keep_text(fsattn_arena *arena, const value *v) {
    char *copy = fsattn_arena_alloc(arena, v->bytes + 1, 1);
    if (copy && v->bytes) {
        memcpy(copy, v->text, v->bytes);
    }
    return copy;
}

static void store_field(cursor *c, fsattn_arena *arena, const field *f, char *target) {
    value v = take_value(c);
    if (v.kind != (f->kind == FIELD_TEXT ? VALUE_TEXT : VALUE_INT) || (v.kind == VALUE_INT && v.number > UINT32_MAX)) {
        c->failed = true;
    } else if (f->kind == FIELD_TEXT) {
        const char *kept = keep_text(arena, &v);
        c->failed |= !kept;
        *(const char **)(target + f->offset) = kept ? kept : "";
    } else if (f->kind == FIELD_BOOL) {
        *(bool *)(target + f->offset) = v.number != 0;
    } else {
        *(uint32_t *)(target + f->offset) = (uint32_t)v.number;
    }
}

/* Reads one value of a map into `target` when `key` is among the fields; false when it is not. */
static bool take_field(cursor *c, fsattn_arena *arena, const field *fields, size_t count, const value *key,
                       void *target) {
    for (size_t i = 0; i < count; i++) {
        if (text_is(key, fields[i].key)) {
            store_field(c, arena, &fields[i], target);
            return true;
        }
    }
    return false;
}

static void take_arguments(cursor *c, fsattn_arena *arena, fsattn_code_kernel *kernel) {
    value list = take_value(c);
    fsattn_code_argument *arguments = NULL;
    if (list.kind != VALUE_ARRAY || list.number > arguments_max) {
        c->failed = true;
    } else {
        arguments = fsattn_arena_alloc(arena, (size_t)list.number, sizeof *arguments);
    }
    for (uint64_t i = 0; arguments && i < list.number && !c->failed; i++) {
        value map = take_value(c);
        arguments[i].kind = arguments[i].name = "";
        for (uint64_t n = 0; n < map.number && !c->failed; n++) {
            value key = take_value(c);
            if (!take_field(c, arena, argument_fields, COUNT(argument_fields), &key, &arguments[i])) {
                skip_value(c, 0);
            }
        }
        c->failed |= map.kind != VALUE_MAP;
    }
    kernel->arguments = arguments;
    kernel->argument_count = arguments ? (size_t)list.number : 0;
}

static void take_kernels(cursor *c, fsattn_code_object *object) {
    value list = take_value(c);
    if (list.kind != VALUE_ARRAY || list.number > kernels_max) {
        c->failed = true;
        return;
    }
    fsattn_code_kernel *kernels = fsattn_arena_alloc(&object->arena, (size_t)list.number, sizeof *kernels);
    for (uint64_t i = 0; kernels && i < list.number && !c->failed; i++) {
        value map = take_value(c);
        c->failed |= map.kind != VALUE_MAP;
        for (uint64_t n = 0; n < map.number && !c->failed; n++) {
            value key = take_value(c);
            if (text_is(&key, ".args")) {
                take_arguments(c, &object->arena, &kernels[i]);
            } else if (!take_field(c, &object->arena, kernel_fields, COUNT(kernel_fields), &key, &kernels[i])) {
                skip_value(c, 0);
            }
        }
        c->failed |= !kernels[i].name || !kernels[i].symbol;
    }
    c->failed |= !kernels;
    object->kernels = kernels;
    object->kernel_count = c->failed ? 0 : (size_t)list.number;
}

static fsattn_status read_metadata(fsattn_code_object *object, const char *name, const unsigned char *note,
                                   size_t bytes, fsattn_err *err) {
    cursor c = {note, note + bytes, false};
    value map = take_value(&c);
    c.failed |= map.kind != VALUE_MAP;
    for (uint64_t n = 0; n < map.number && !c.failed; n++) {
        value key = take_value(&c);
        if (text_is(&key, "amdhsa.kernels")) {
            take_kernels(&c, object);
        } else if (text_is(&key, "amdhsa.target")) {
            value target = take_value(&c);
            object->target = target.kind == VALUE_TEXT ? keep_text(&object->arena, &target) : NULL;
        } else {
            skip_value(&c, 0);
        }
    }
    if (c.failed || !object->target) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: malformed code object metadata", name);
    }
    return FSATTN_OK;
}

/* ---- ELF: every structure is copied out, since an object inside a bundle need not be aligned -------- */

static Elf64_Ehdr elf_header(const fsattn_code_object *object) {
    Elf64_Ehdr header;
    memcpy(&header, object->elf, sizeof header);
    return header;
}

static bool inside(size_t total, uint64_t offset, uint64_t bytes) {
    return offset <= total && bytes <= total - offset;
}

static fsattn_status find_metadata(fsattn_code_object *object, const char *name, fsattn_err *err) {
    const Elf64_Ehdr header = elf_header(object);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, object->elf + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_NOTE || !inside(object->elf_bytes, segment.p_offset, segment.p_filesz)) {
            continue;
        }
        const unsigned char *at = object->elf + segment.p_offset, *end = at + segment.p_filesz;
        while ((size_t)(end - at) >= sizeof(Elf64_Nhdr)) {
            Elf64_Nhdr note;
            memcpy(&note, at, sizeof note);
            uint64_t name_bytes = ((uint64_t)note.n_namesz + 3) & ~(uint64_t)3;
            uint64_t data_bytes = ((uint64_t)note.n_descsz + 3) & ~(uint64_t)3;
            uint64_t left = (uint64_t)(end - at) - sizeof note;
            if (name_bytes > left || note.n_descsz > left - name_bytes) {
                break;
            }
            if (note.n_type == note_amdgpu_metadata && note.n_namesz == 7 &&
                !memcmp(at + sizeof note, "AMDGPU", 7)) {
                return read_metadata(object, name, at + sizeof note + name_bytes, note.n_descsz, err);
            }
            if (data_bytes > left - name_bytes) {
                break;
            }
            at += sizeof note + name_bytes + data_bytes;
        }
    }
    return fsattn_fail(err, FSATTN_CORRUPT, "%s: no AMDGPU metadata note", name);
}

/* Offset in the file of an address, by the loadable segments; SIZE_MAX when none holds `bytes` there. */
static size_t offset_of_address(const fsattn_code_object *object, uint64_t address, uint64_t bytes) {
    const Elf64_Ehdr header = elf_header(object);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, object->elf + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            inside(segment.p_filesz, address - segment.p_vaddr, bytes) &&
            inside(object->elf_bytes, segment.p_offset, segment.p_filesz)) {
            return (size_t)(segment.p_offset + (address - segment.p_vaddr));
        }
    }
    return SIZE_MAX;
}

/* Address of a dynamic symbol by name, 0 when absent. */
static uint64_t symbol_address(const fsattn_code_object *object, const char *symbol) {
    const Elf64_Ehdr header = elf_header(object);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr table, names;
        memcpy(&table, object->elf + header.e_shoff + i * sizeof table, sizeof table);
        if (table.sh_type != SHT_DYNSYM || table.sh_link >= header.e_shnum ||
            !inside(object->elf_bytes, table.sh_offset, table.sh_size)) {
            continue;
        }
        memcpy(&names, object->elf + header.e_shoff + table.sh_link * sizeof names, sizeof names);
        if (!inside(object->elf_bytes, names.sh_offset, names.sh_size)) {
            continue;
        }
        for (uint64_t s = 0; s < table.sh_size / sizeof(Elf64_Sym); s++) {
            Elf64_Sym entry;
            memcpy(&entry, object->elf + table.sh_offset + s * sizeof entry, sizeof entry);
            size_t length = strlen(symbol) + 1;
            if (inside(names.sh_size, entry.st_name, length) &&
                !memcmp(object->elf + names.sh_offset + entry.st_name, symbol, length)) {
                return entry.st_value;
            }
        }
    }
    return 0;
}

static fsattn_status find_entries(fsattn_code_object *object, const char *name, fsattn_err *err) {
    fsattn_code_kernel *kernels = (fsattn_code_kernel *)object->kernels; /* the arena's, not yet handed out */
    for (size_t i = 0; i < object->kernel_count; i++) {
        int64_t distance;
        uint64_t address = symbol_address(object, kernels[i].symbol);
        size_t offset = address ? offset_of_address(object, address, descriptor_bytes) : SIZE_MAX;
        if (offset == SIZE_MAX) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: kernel %s has no descriptor", name, kernels[i].name);
        }
        memcpy(&distance, object->elf + offset + descriptor_entry_offset, sizeof distance);
        kernels[i].descriptor_address = address;
        kernels[i].entry_address = address + (uint64_t)distance;
        if (offset_of_address(object, kernels[i].entry_address, 4) == SIZE_MAX) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: kernel %s has no code at its entry", name, kernels[i].name);
        }
    }
    return FSATTN_OK;
}

static fsattn_status check_header(const fsattn_code_object *object, const char *name, fsattn_err *err) {
    if (object->elf_bytes < sizeof(Elf64_Ehdr) || memcmp(object->elf, ELFMAG, SELFMAG)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: neither an ELF file nor an offload bundle", name);
    }
    const Elf64_Ehdr header = elf_header(object);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != em_amdgpu) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: an ELF file for machine %u, not for an AMD GPU", name,
                           header.e_machine);
    }
    if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_shentsize != sizeof(Elf64_Shdr) ||
        !inside(object->elf_bytes, header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr)) ||
        !inside(object->elf_bytes, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr))) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: ELF tables reach beyond the end of the file", name);
    }
    return FSATTN_OK;
}

/* ---- bundles ------------------------------------------------------------------------------------- */

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";

/* "hip-amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-" names the processor "gfx950". */
static bool entry_is_for(const char *id, size_t bytes, const char *isa) {
    const char *dashes = memmem(id, bytes, "amdgcn-amd-amdhsa-", 18);
    if (!dashes) {
        return false;
    }
    size_t left = bytes - (size_t)(dashes - id) - 18;
    const char *processor = dashes + 18;
    while (left && *processor == '-') {
        processor++;
        left--;
    }
    size_t length = isa ? strlen(isa) : 0;
    return !isa || (left >= length && !memcmp(processor, isa, length) && (left == length || processor[length] == ':'));
}

static fsattn_status pick_bundle_entry(fsattn_code_object *object, const char *name, const char *isa, fsattn_err *err) {
    const size_t magic_bytes = sizeof bundle_magic - 1;
    const unsigned char *data = object->elf;
    size_t bytes = object->elf_bytes;
    uint64_t count = 0;
    size_t at = magic_bytes + sizeof count;
    if (bytes >= at) {
        memcpy(&count, data + magic_bytes, sizeof count);
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t fields[3]; /* offset, size, length of the id */
        if (!inside(bytes, at, sizeof fields)) {
            break;
        }
        memcpy(fields, data + at, sizeof fields);
        at += sizeof fields;
        if (!inside(bytes, at, fields[2]) || !inside(bytes, fields[0], fields[1])) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: bundle entry %llu reaches beyond the end of the file", name,
                               (unsigned long long)i);
        }
        if (fields[1] && entry_is_for((const char *)data + at, (size_t)fields[2], isa)) {
            object->elf = data + fields[0];
            object->elf_bytes = (size_t)fields[1];
            return FSATTN_OK;
        }
        at += (size_t)fields[2];
    }
    return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: the bundle holds no code for %s", name, isa ? isa : "an AMD GPU");
}

fsattn_status fsattn_code_object_init(fsattn_code_object *object, const char *name, const void *data, size_t bytes,
                                      const char *isa, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    fsattn_code_object read = {.elf = data, .elf_bytes = bytes};
    if (bytes >= sizeof bundle_magic - 1 && !memcmp(data, bundle_magic, sizeof bundle_magic - 1)) {
        FSATTN_GOTO(pick_bundle_entry(&read, name, isa, err));
    } else if (bytes >= 4 && !memcmp(data, "CCOB", 4)) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: a compressed offload bundle", name);
    }
    FSATTN_GOTO(check_header(&read, name, err));
    FSATTN_GOTO(find_metadata(&read, name, err));
    FSATTN_GOTO(find_entries(&read, name, err));
    if (isa && !entry_is_for(read.target, strlen(read.target), isa)) {
        status = fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: code for %s, not for %s", name, read.target, isa);
    }
out:
    if (status != FSATTN_OK) {
        fsattn_code_object_fini(&read);
        return status;
    }
    *object = read;
    return FSATTN_OK;
}

void fsattn_code_object_fini(fsattn_code_object *object) {
    fsattn_arena_fini(&object->arena);
    object->kernels = NULL;
    object->kernel_count = 0;
}

const fsattn_code_kernel *fsattn_code_object_kernel(const fsattn_code_object *object, const char *kernel) {
    for (size_t i = 0; i < object->kernel_count; i++) {
        if (!strcmp(object->kernels[i].name, kernel)) {
            return &object->kernels[i];
        }
    }
    return NULL;
}
