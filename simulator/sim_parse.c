#include "sim_parse.h"

#include "sim_operands.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const char *sim_parse_mnemonic(const char *text, char mnemonic[64]) {
    static const char *const suffixes[] = {"_e32", "_e64", "_sdwa", "_dpp"};
    size_t length = strcspn(text, " ");
    const char *rest = text + length;
    for (size_t i = 0; i < COUNT(suffixes); i++) {
        const size_t bytes = strlen(suffixes[i]);
        if (length > bytes && !memcmp(text + length - bytes, suffixes[i], bytes)) {
            length -= bytes;
            break;
        }
    }
    length = length < 63 ? length : 63;
    memcpy(mnemonic, text, length);
    mnemonic[length] = '\0';
    return rest + strspn(rest, " ");
}

static bool refuse(char reason[sim_parse_reason_bytes], const char *what, const char *text, size_t length) {
    snprintf(reason, sim_parse_reason_bytes, "%s '%.*s'", what, (int)(length < 100 ? length : 100), text);
    return false;
}

/* ---- modifiers --------------------------------------------------------------------------------------- */

typedef enum modifier_kind { FLAG, INT8, INT32, BIT_LIST, SELECT, UNUSED, DPP, DPP_FLAG, QUAD, OUTPUT, OFFSET, BOUND } modifier_kind;
typedef struct modifier {
    const char *name;
    modifier_kind kind;
    size_t at;
    int argument;      /* of DPP: the control */
    uint32_t row_flag; /* what the row must have; 0: anything may */
} modifier;
#define AT(field) offsetof(sim_modifiers, field)
static const modifier modifiers[] = {
    {"offset", OFFSET, AT(offset), 0, SIM_ROW_MEMORY},
    {"offset0", INT32, AT(offset0), 0, SIM_ROW_MEMORY},
    {"offset1", INT32, AT(offset1), 0, SIM_ROW_MEMORY},
    {"gds", FLAG, AT(gds), 0, SIM_ROW_MEMORY},
    {"glc", FLAG, AT(sc0), 0, SIM_ROW_MEMORY},
    {"sc0", FLAG, AT(sc0), 0, SIM_ROW_MEMORY},
    {"sc1", FLAG, AT(sc1), 0, SIM_ROW_MEMORY},
    {"nt", FLAG, AT(nt), 0, SIM_ROW_MEMORY},
    {"offen", FLAG, AT(offen), 0, SIM_ROW_BUFFER},
    {"idxen", FLAG, AT(idxen), 0, SIM_ROW_BUFFER},
    {"lds", FLAG, AT(lds), 0, SIM_ROW_BUFFER},
    {"op_sel", BIT_LIST, AT(op_sel), 0, 0},
    {"op_sel_hi", BIT_LIST, AT(op_sel_hi), 0, 0},
    {"neg_lo", BIT_LIST, AT(neg_lo), 0, SIM_ROW_PACKED},
    {"neg_hi", BIT_LIST, AT(neg_hi), 0, SIM_ROW_PACKED},
    {"cbsz", INT8, AT(cbsz), 0, SIM_ROW_MATRIX},
    {"abid", INT8, AT(abid), 0, SIM_ROW_MATRIX},
    {"blgp", INT8, AT(blgp), 0, SIM_ROW_MATRIX},
    {"bitop3", INT8, AT(bitop3), 0, 0},
    {"clamp", FLAG, AT(clamp), 0, SIM_ROW_OUTPUT},
    {"mul", OUTPUT, 0, 1, SIM_ROW_OUTPUT},
    {"div", OUTPUT, 0, -1, SIM_ROW_OUTPUT},
    {"dst_sel", SELECT, AT(dst_select), 0, SIM_ROW_LANE},
    {"dst_unused", UNUSED, 0, 0, SIM_ROW_LANE},
    {"src0_sel", SELECT, SIZE_MAX, 0, SIM_ROW_LANE},
    {"src1_sel", SELECT, SIZE_MAX, 1, SIM_ROW_LANE},
    {"row_mask", INT8, AT(row_mask), 0, SIM_ROW_LANE},
    {"bank_mask", INT8, AT(bank_mask), 0, SIM_ROW_LANE},
    {"bound_ctrl", BOUND, 0, 0, SIM_ROW_LANE},
    {"quad_perm", QUAD, 0, SIM_DPP_QUAD_PERM, SIM_ROW_LANE},
    {"row_shl", DPP, 0, SIM_DPP_ROW_SHL, SIM_ROW_LANE},
    {"row_shr", DPP, 0, SIM_DPP_ROW_SHR, SIM_ROW_LANE},
    {"row_ror", DPP, 0, SIM_DPP_ROW_ROR, SIM_ROW_LANE},
    {"wave_shl", DPP, 0, SIM_DPP_WAVE_SHL, SIM_ROW_LANE},
    {"wave_rol", DPP, 0, SIM_DPP_WAVE_ROL, SIM_ROW_LANE},
    {"wave_shr", DPP, 0, SIM_DPP_WAVE_SHR, SIM_ROW_LANE},
    {"wave_ror", DPP, 0, SIM_DPP_WAVE_ROR, SIM_ROW_LANE},
    {"row_mirror", DPP_FLAG, 0, SIM_DPP_ROW_MIRROR, SIM_ROW_LANE},
    {"row_half_mirror", DPP_FLAG, 0, SIM_DPP_ROW_HALF_MIRROR, SIM_ROW_LANE},
    {"row_bcast", DPP, 0, SIM_DPP_ROW_BCAST, SIM_ROW_LANE},
    {"row_newbcast", DPP, 0, SIM_DPP_ROW_NEWBCAST, SIM_ROW_LANE},
};

static int name_index(const char *const *names, size_t count, const char *text, size_t length) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) == length && !memcmp(names[i], text, length)) {
            return (int)i;
        }
    }
    return -1;
}

/* "[1,0,1]" into bits. */
static bool parse_bits(const char *text, uint8_t *bits) {
    *bits = 0;
    for (int i = 0; *text && *text != ']'; text++) {
        if (*text == '0' || *text == '1') {
            *bits |= (uint8_t)((*text - '0') << i++);
        }
    }
    return true;
}

/* The offset field of ds_swizzle in words; ISA manual, "DS_SWIZZLE_B32". */
static bool parse_swizzle(const char *text, int32_t *offset) {
    int a, b;
    char mask[6];
    if (sscanf(text, "swizzle(SWAP,%d)", &a) == 1) {
        *offset = a << 10 | 0x1f;
    } else if (sscanf(text, "swizzle(REVERSE,%d)", &a) == 1) {
        *offset = (a - 1) << 10 | 0x1f;
    } else if (sscanf(text, "swizzle(BROADCAST,%d,%d)", &a, &b) == 2) {
        *offset = b << 5 | (0x1f & ~(a - 1));
    } else if (sscanf(text, "swizzle(BITMASK_PERM,\"%5[01pi]\")", mask) == 1) {
        int and_mask = 0, or_mask = 0, xor_mask = 0;
        for (int i = 0; i < 5; i++) {
            const int bit = 16 >> i;
            and_mask |= mask[i] == 'p' || mask[i] == 'i' ? bit : 0;
            or_mask |= mask[i] == '1' ? bit : 0;
            xor_mask |= mask[i] == 'i' ? bit : 0;
        }
        *offset = xor_mask << 10 | or_mask << 5 | and_mask;
    } else {
        int c, d;
        if (sscanf(text, "swizzle(QUAD_PERM,%d,%d,%d,%d)", &a, &b, &c, &d) != 4) {
            return false;
        }
        *offset = 0x8000 | a | b << 2 | c << 4 | d << 6;
    }
    return true;
}

static bool apply_modifier(sim_instruction *in, const modifier *found, const char *argument, size_t length) {
    static const char *const selects[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    char *place = (char *)&in->m + (found->at == SIZE_MAX ? 0 : found->at);
    const long number = strtol(argument, NULL, 0);
    switch (found->kind) {
    case FLAG: *(bool *)place = true; return true;
    case INT8: *(uint8_t *)place = (uint8_t)number; return true;
    case INT32: *(int32_t *)place = (int32_t)number; return true;
    case OFFSET: return !memcmp(argument, "swizzle", 7) ? parse_swizzle(argument, &in->m.offset)
                                                        : (in->m.offset = (int32_t)number, true);
    case BIT_LIST:
        in->m.has_op_sel |= found->at == AT(op_sel);
        in->m.has_op_sel_hi |= found->at == AT(op_sel_hi);
        return parse_bits(argument, (uint8_t *)place);
    case SELECT: {
        const int index = name_index(selects, COUNT(selects), argument, length);
        in->m.sdwa = true;
        if (index >= 0 && found->at != SIZE_MAX) {
            *(uint8_t *)place = (uint8_t)index;
        } else if (index >= 0) {
            in->operands[in->source + found->argument].select = (uint8_t)index;
        }
        return index >= 0;
    }
    case UNUSED: {
        const int index = name_index(unused, COUNT(unused), argument, length);
        in->m.dst_unused = (uint8_t)index;
        return index >= 0;
    }
    case DPP:
    case DPP_FLAG:
        in->m.dpp = (uint8_t)found->argument;
        in->m.dpp_argument = (uint8_t)(found->kind == DPP ? number : 0);
        return true;
    case QUAD: {
        int a, b, c, d;
        if (sscanf(argument, "[%d,%d,%d,%d]", &a, &b, &c, &d) != 4) {
            return false;
        }
        in->m.dpp = SIM_DPP_QUAD_PERM;
        in->m.dpp_argument = (uint8_t)(a | b << 2 | c << 4 | d << 6);
        return true;
    }
    case OUTPUT: in->m.output_exponent = (int8_t)(found->argument * (number == 4 ? 2 : 1)); return true;
    case BOUND: in->m.bound_control = true; return true;
    }
    return false;
}

static bool op_sel_allowed(const sim_instruction *in) {
    bool half = false;
    for (int k = 0; k < in->operand_count; k++) {
        half |= in->operands[k].type == 'h' || in->operands[k].type == 'w';
    }
    return half || (in->row->flags & (SIM_ROW_OP_SEL | SIM_ROW_PACKED));
}

static bool parse_modifiers(sim_instruction *in, const char *text, char reason[sim_parse_reason_bytes]) {
    while (*text) {
        size_t length = 0;
        for (int depth = 0; text[length] && (depth || text[length] != ' '); length++) {
            depth += (text[length] == '(' || text[length] == '[') - (text[length] == ')' || text[length] == ']');
        }
        const char *colon = memchr(text, ':', length);
        const size_t name_bytes = colon ? (size_t)(colon - text) : length;
        const modifier *found = NULL;
        for (size_t i = 0; i < COUNT(modifiers) && !found; i++) {
            if (strlen(modifiers[i].name) == name_bytes && !memcmp(modifiers[i].name, text, name_bytes)) {
                found = &modifiers[i];
            }
        }
        const char *argument = colon ? colon + 1 : "";
        const bool bits = found && found->kind == BIT_LIST && !found->row_flag;
        const uint32_t flags = in->row->flags & SIM_ROW_INT_CLAMP && found && found->kind == FLAG && found->at == AT(clamp)
                                   ? SIM_ROW_OUTPUT
                                   : in->row->flags;
        if (!found || (found->row_flag && !(flags & found->row_flag)) || (bits && !op_sel_allowed(in)) ||
            !apply_modifier(in, found, argument, colon ? length - name_bytes - 1 : 0)) {
            return refuse(reason, "unknown modifier", text, length);
        }
        text += length;
        text += strspn(text, " ");
    }
    return true;
}

/* ---- operands ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t kind;
    uint16_t reg;
    uint8_t count;
    uint64_t value;
} named[] = {
    {"vcc", SIM_OPERAND_SGPR, sim_vcc, 2, 0},
    {"vcc_lo", SIM_OPERAND_SGPR, sim_vcc, 1, 0},
    {"vcc_hi", SIM_OPERAND_SGPR, sim_vcc + 1, 1, 0},
    {"exec", SIM_OPERAND_SGPR, sim_exec, 2, 0},
    {"exec_lo", SIM_OPERAND_SGPR, sim_exec, 1, 0},
    {"exec_hi", SIM_OPERAND_SGPR, sim_exec + 1, 1, 0},
    {"flat_scratch", SIM_OPERAND_SGPR, sim_flat_scratch, 2, 0},
    {"flat_scratch_lo", SIM_OPERAND_SGPR, sim_flat_scratch, 1, 0},
    {"flat_scratch_hi", SIM_OPERAND_SGPR, sim_flat_scratch + 1, 1, 0},
    {"m0", SIM_OPERAND_SGPR, sim_m0, 1, 0},
    {"scc", SIM_OPERAND_SCC, 0, 1, 0},
    {"src_scc", SIM_OPERAND_SCC, 0, 1, 0},
    {"src_vccz", SIM_OPERAND_VCCZ, 0, 1, 0},
    {"src_execz", SIM_OPERAND_EXECZ, 0, 1, 0},
    {"src_shared_base", SIM_OPERAND_CONSTANT, 0, 2, (uint64_t)SIM_SHARED_APERTURE << 32},
    {"src_private_base", SIM_OPERAND_CONSTANT, 0, 2, (uint64_t)SIM_PRIVATE_APERTURE << 32},
    {"off", SIM_OPERAND_NONE, 0, 0, 0},
};

/* "v5", "s[2:3]", "a[0:15]". */
static bool parse_register(const char *text, size_t length, sim_operand *o) {
    unsigned first, last;
    char copy[32];
    int end = 0;
    if (length >= sizeof copy || length < 2 || !strchr("vsa", text[0])) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (sscanf(copy + 1, "[%u:%u]%n", &first, &last, &end) == 2 && end) {
        /* both are there */
    } else if (sscanf(copy + 1, "%u%n", &first, &end) == 1 && end) {
        last = first;
    } else {
        return false;
    }
    const unsigned limit = text[0] == 's' ? sim_flat_scratch : sim_agpr;
    if (copy[1 + end] || last < first || last >= limit) {
        return false;
    }
    o->kind = text[0] == 's' ? SIM_OPERAND_SGPR : SIM_OPERAND_VGPR;
    o->reg = (uint16_t)(first + (text[0] == 'a' ? sim_agpr : 0));
    o->count = (uint16_t)(last - first + 1);
    return true;
}

/* Numbers as the operand's type has them; LLVM prints literals in hexadecimal and inline constants in decimal. */
static bool parse_number(const char *text, size_t length, sim_operand *o) {
    char copy[64], *end;
    if (!length || length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    o->kind = SIM_OPERAND_CONSTANT;
    o->count = 0;
    if (strpbrk(copy, ".") && !strchr(copy, 'x')) {
        const double value = strtod(copy, &end);
        o->value = strchr("dl", o->type)     ? sim_u64(value)
                   : strchr("hwpq", o->type) ? sim_half_from_f64(value)
                                             : sim_u32((float)value);
    } else {
        const bool hex = strchr(copy, 'x') != NULL;
        o->value = copy[0] == '-' ? (uint64_t)strtoll(copy, &end, 0) : strtoull(copy, &end, 0);
        if (o->type == 'd' && hex) {
            o->value <<= 32;
        }
    }
    return *end == '\0';
}

static bool parse_value(const char *text, size_t length, sim_operand *o) {
    if (parse_register(text, length, o)) {
        return true;
    }
    for (size_t i = 0; i < COUNT(named); i++) {
        if (strlen(named[i].name) == length && !memcmp(named[i].name, text, length)) {
            o->kind = named[i].kind;
            o->reg = named[i].reg;
            o->count = named[i].count;
            o->value = named[i].value;
            return true;
        }
    }
    return parse_number(text, length, o);
}

static bool parse_operand(const char *text, size_t length, sim_operand *o) {
    if (length > 6 && !memcmp(text, "sext(", 5)) {
        o->sign_extend = true;
        return parse_value(text + 5, length - 6, o);
    }
    if (length > 5 && !memcmp(text, "lit(", 4)) { /* a literal that an inline constant could also say */
        return parse_value(text + 4, length - 5, o);
    }
    if (length > 1 && text[0] == '-' && !isdigit((unsigned char)text[1])) {
        o->negate = true;
        text++;
        length--;
    }
    if (length > 5 && !memcmp(text, "neg(", 4)) {
        o->negate = true;
        text += 4;
        length -= 5;
    }
    if (length > 2 && text[0] == '|') {
        o->absolute = true;
        text++;
        length -= 2;
    }
    return parse_value(text, length, o);
}

/* ---- patterns ---------------------------------------------------------------------------------------- */

/* Reads the next token of a pattern: "xf", "Db4", "?Db1". Width -1: any. */
static const char *next_token(const char *pattern, char *role, char *type, int *width, bool *optional) {
    static const char wide[] = "dlF";
    pattern += strspn(pattern, " ");
    if (!*pattern) {
        return NULL;
    }
    *optional = *pattern == '?';
    pattern += *optional;
    *role = *pattern++;
    *type = *pattern && *pattern != ' ' && !isdigit((unsigned char)*pattern) && *pattern != '*' ? *pattern++ : 'b';
    *width = strchr(wide, *type) ? 2 : 1;
    if (*pattern == '*') {
        *width = -1;
        pattern++;
    } else if (isdigit((unsigned char)*pattern)) {
        *width = (int)strtol(pattern, (char **)&pattern, 10);
    }
    return pattern;
}

static bool fits_role(const sim_operand *o, int width) {
    const bool vector = o->kind == SIM_OPERAND_VGPR, scalar = o->kind == SIM_OPERAND_SGPR;
    const bool wide_enough = width < 0 || o->count == width || (!vector && !scalar);
    switch (o->role) {
    case 'D':
    case 'M':
    case 'v': return vector && wide_enough;
    case 'S': return scalar && wide_enough;
    case 's': return (scalar || o->kind == SIM_OPERAND_CONSTANT) && wide_enough;
    case 'x': return o->kind != SIM_OPERAND_NONE && wide_enough;
    case 'A': return (vector && o->count <= 2) || o->kind == SIM_OPERAND_NONE;
    case 'O': return (scalar && o->count <= 4) || o->kind == SIM_OPERAND_NONE || o->kind == SIM_OPERAND_CONSTANT;
    case 'n': return o->kind == SIM_OPERAND_CONSTANT;
    default: return false;
    }
}

static int pattern_tokens(const char *pattern) {
    char role, type;
    int width, count = 0;
    bool optional;
    while ((pattern = next_token(pattern, &role, &type, &width, &optional))) {
        count++;
    }
    return count;
}

/* Splits at commas outside brackets; returns the text behind the last operand, where modifiers begin. */
static const char *split(const char *text, const char *parts[sim_operands_max], size_t lengths[sim_operands_max], int *count,
                         int limit) {
    *count = 0;
    while (*text && *count < sim_operands_max && *count < limit) {
        size_t length = 0;
        for (int depth = 0; text[length] && (depth || (text[length] != ',' && text[length] != ' ')); length++) {
            depth += (text[length] == '(' || text[length] == '[') - (text[length] == ')' || text[length] == ']');
        }
        parts[*count] = text;
        lengths[(*count)++] = length;
        text += length;
        if (*text != ',') {
            break;
        }
        text += 1 + strspn(text + 1, " ");
    }
    return text + strspn(text, " ");
}

static bool place_operands(sim_instruction *in, const char *const *parts, const size_t *lengths, int count,
                           char reason[sim_parse_reason_bytes]) {
    const char *pattern = in->row->pattern;
    int missing = pattern_tokens(pattern) - count, at = 0;
    bool sources = false;
    char role, type;
    int width;
    bool optional;
    while ((pattern = next_token(pattern, &role, &type, &width, &optional))) {
        sim_operand *o = &in->operands[in->operand_count++];
        o->role = role;
        o->type = type;
        if (!sources && !strchr("DMS", role)) {
            sources = true;
            in->source = (uint8_t)(in->operand_count - 1);
        }
        if (optional && missing > 0) {
            missing--;
            continue;
        }
        if (at >= count || !parse_operand(parts[at], lengths[at], o) || !fits_role(o, width)) {
            return refuse(reason, at < count ? "unexpected operand" : "missing operand", at < count ? parts[at] : "",
                          at < count ? lengths[at] : 0);
        }
        at++;
    }
    return at == count || refuse(reason, "unexpected operand", parts[at], lengths[at]);
}

/* ---- operands that are no registers ------------------------------------------------------------------ */

/* "s5, gpr_idx(SRC0,DST)": a bit for each. */
static uint64_t parse_indexed(const char *text) {
    static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
    uint64_t bits = 0;
    for (size_t i = 0; i < COUNT(names); i++) {
        bits |= (uint64_t)(strstr(text, names[i]) != NULL) << i;
    }
    return bits;
}

/* s_waitcnt: vmcnt in bits 0-7, lgkmcnt in 8-15, 255 where it does not wait. hwreg(HW_REG_MODE,23,1): offset in bits 8-15, width in
 * 16-23, register 1 in bits 0-7. Anything else is 0. */
static bool parse_text(sim_instruction *in, const char *text, char reason[sim_parse_reason_bytes]) {
    int number, offset = 0, width = 32;
    if (!strcmp(in->row->mnemonic, "s_waitcnt")) {
        unsigned vm = 255, lgkm = 255;
        const char *at = strstr(text, "vmcnt(");
        if (at) {
            vm = (unsigned)strtoul(at + 6, NULL, 0);
        }
        at = strstr(text, "lgkmcnt(");
        if (at) {
            lgkm = (unsigned)strtoul(at + 8, NULL, 0);
        }
        in->value = vm | lgkm << 8;
        return true;
    }
    if (!strncmp(in->row->mnemonic, "s_set_gpr_idx_", 14)) {
        in->value = parse_indexed(text);
        if (in->row->pattern[0]) {
            sim_operand *o = &in->operands[in->operand_count++];
            o->type = 'i';
            return parse_operand(text, strcspn(text, ", "), o) || refuse(reason, "unexpected operand", text, strlen(text));
        }
        return true;
    }
    const char *hwreg = strstr(text, "hwreg(");
    if (hwreg) {
        if (!strncmp(hwreg, "hwreg(HW_REG_MODE", 17)) {
            sscanf(hwreg, "hwreg(HW_REG_MODE, %d, %d", &offset, &width);
            in->value = 1u | (unsigned)offset << 8 | (unsigned)width << 16;
        } else {
            in->value = 0;
        }
        const char *comma = strchr(hwreg, ')'), *after = comma ? strchr(comma, ',') : NULL;
        const char *other = after ? after + 1 + strspn(after + 1, " ") : text;
        sim_operand *o = &in->operands[in->operand_count++];
        o->type = 'i';
        return parse_operand(other, strcspn(other, ", "), o) || refuse(reason, "unexpected operand", other, strlen(other));
    }
    in->value = sscanf(text, "%i", &number) == 1 ? (uint64_t)(int64_t)number : 0;
    return true;
}

static void finish(sim_instruction *in) {
    for (int k = 0; k < in->operand_count; k++) {
        sim_operand *o = &in->operands[k];
        const bool half = o->type == 'h' || o->type == 'w';
        o->plain = o->kind == SIM_OPERAND_VGPR && !o->negate && !o->absolute && !o->select && !o->sign_extend &&
                   !(half && in->m.op_sel) && !(in->m.dpp && k == in->source);
    }
    if (!in->m.has_op_sel_hi) {
        in->m.op_sel_hi = (in->row->flags & SIM_ROW_PACKED) && !(in->row->flags & SIM_ROW_OP_SEL) ? 7 : 0;
    }
}

bool sim_parse_operands(sim_instruction *in, const char *text, char reason[sim_parse_reason_bytes]) {
    const char *parts[sim_operands_max];
    size_t lengths[sim_operands_max];
    int count = 0;
    if (in->row->flags & (SIM_ROW_TEXT | SIM_ROW_BRANCH)) {
        return parse_text(in, text, reason);
    }
    const char *rest = split(text, parts, lengths, &count, pattern_tokens(in->row->pattern));
    in->m.row_mask = in->m.bank_mask = 0xf;
    if (!place_operands(in, parts, lengths, count, reason) || !parse_modifiers(in, rest, reason)) {
        return false;
    }
    finish(in);
    return true;
}
