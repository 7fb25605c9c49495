#include "sim_operands.h"

#include <math.h>
#include <stdio.h>

void sim_fault(sim_wave *wave, const sim_instruction *in, int lane, const char *format, ...) {
    if (wave->stop == SIM_FAULTED) {
        return;
    }
    va_list arguments;
    int used = lane < 0 ? 0 : snprintf(wave->fault, sizeof wave->fault, "lane %d: ", lane);
    va_start(arguments, format);
    vsnprintf(wave->fault + used, sizeof wave->fault - (size_t)used, format, arguments);
    va_end(arguments);
    wave->fault_at = in;
    wave->stop = SIM_FAULTED;
}

void sim_mask_make(sim_wave *wave) {
    wave->mask_exec = sim_exec_of(wave);
    SIM_EACH_LANE(i) {
        wave->mask[i] = -(uint32_t)(wave->mask_exec >> i & 1);
    }
}

int sim_dpp_lane(const sim_modifiers *m, int i) {
    const int row = i & ~15, n = m->dpp_argument, at = i & 15;
    switch ((sim_dpp)m->dpp) {
    case SIM_DPP_NONE: return i;
    case SIM_DPP_QUAD_PERM: return (i & ~3) | (n >> 2 * (i & 3) & 3);
    case SIM_DPP_ROW_SHL: return at + n < 16 ? i + n : -1;
    case SIM_DPP_ROW_SHR: return at - n >= 0 ? i - n : -1;
    case SIM_DPP_ROW_ROR: return row | ((at - n) & 15);
    case SIM_DPP_WAVE_SHL: return i + 1 < sim_lanes ? i + 1 : -1;
    case SIM_DPP_WAVE_ROL: return (i + 1) & 63;
    case SIM_DPP_WAVE_SHR: return i - 1;
    case SIM_DPP_WAVE_ROR: return (i - 1) & 63;
    case SIM_DPP_ROW_MIRROR: return row | (15 - at);
    case SIM_DPP_ROW_HALF_MIRROR: return (i & ~7) | (7 - (i & 7));
    case SIM_DPP_ROW_BCAST: return n == 15 ? (row ? row - 1 : -1) : i >= 32 ? 31 : -1;
    case SIM_DPP_ROW_NEWBCAST: return row | n;
    }
    return -1;
}

static bool dpp_in_masks(const sim_modifiers *m, int i) {
    return (m->row_mask >> (i >> 4) & 1) && (m->bank_mask >> ((i >> 2) & 3) & 1);
}

uint64_t sim_dpp_enabled(const sim_instruction *in) {
    uint64_t enabled = 0;
    SIM_EACH_LANE(i) {
        const bool has_source = in->m.bound_control || sim_dpp_lane(&in->m, i) >= 0;
        enabled |= (uint64_t)(dpp_in_masks(&in->m, i) && has_source) << i;
    }
    return enabled;
}

/* Reads across lanes; inactive source lanes count as out of bounds. */
static void read_dpp(const sim_wave *wave, const sim_instruction *in, const uint32_t *from, uint32_t out[sim_lanes]) {
    SIM_EACH_LANE(i) {
        const int lane = sim_dpp_lane(&in->m, i);
        out[i] = lane >= 0 && (sim_exec_of(wave) >> lane & 1) ? from[lane] : 0;
    }
}

static uint32_t take_part(uint32_t value, sim_select select, bool sign_extend) {
    static const struct {
        uint8_t shift, bits;
    } parts[] = {{0, 32}, {0, 8}, {8, 8}, {16, 8}, {24, 8}, {0, 16}, {16, 16}};
    const uint32_t taken = value >> parts[select].shift;
    const unsigned unused = 32u - parts[select].bits;
    return sign_extend ? (uint32_t)((int32_t)(taken << unused) >> unused) : taken << unused >> unused;
}

static uint32_t sign_bit(char type) {
    return type == 'h' ? 0x8000u : 0x80000000u;
}

void sim_read32_any(sim_wave *wave, const sim_instruction *in, int k, uint32_t out[sim_lanes]) {
    const sim_operand *o = &in->operands[k];
    if (o->kind == SIM_OPERAND_VGPR) {
        if (in->m.dpp && k == in->source) {
            read_dpp(wave, in, wave->v[o->reg], out);
        } else {
            memcpy(out, wave->v[o->reg], sizeof wave->v[0]);
        }
    } else {
        const uint32_t value = sim_scalar32(wave, o);
        SIM_EACH_LANE(i) {
            out[i] = value;
        }
    }
    if (o->select != SIM_DWORD) {
        SIM_EACH_LANE(i) {
            out[i] = take_part(out[i], (sim_select)o->select, o->sign_extend);
        }
    }
    if ((o->type == 'h' || o->type == 'w') && o->kind != SIM_OPERAND_CONSTANT && (in->m.op_sel >> (k - in->source) & 1)) {
        SIM_EACH_LANE(i) {
            out[i] >>= 16;
        }
    }
    if (o->absolute || o->negate) {
        const uint32_t sign = sign_bit(o->type), keep = o->absolute ? ~sign : ~0u, flip = o->negate ? sign : 0;
        SIM_EACH_LANE(i) {
            out[i] = (out[i] & keep) ^ flip;
        }
    }
}

void sim_read64_any(sim_wave *wave, const sim_instruction *in, int k, uint64_t out[sim_lanes]) {
    const sim_operand *o = &in->operands[k];
    const uint64_t sign = UINT64_C(1) << 63, keep = o->absolute ? ~sign : ~UINT64_C(0), flip = o->negate ? sign : 0;
    const uint64_t value = o->kind == SIM_OPERAND_VGPR ? 0 : sim_scalar64(wave, o);
    SIM_EACH_LANE(i) {
        const uint64_t bits = o->kind == SIM_OPERAND_VGPR
                                  ? (uint64_t)wave->v[o->reg + 1][i] << 32 | wave->v[o->reg][i]
                                  : value;
        out[i] = (bits & keep) ^ flip;
    }
}

static uint32_t put_part(const sim_modifiers *m, uint32_t old, uint32_t value) {
    static const uint32_t masks[] = {~0u, 0xff, 0xff00, 0xff0000, 0xff000000, 0xffff, 0xffff0000};
    static const uint8_t shifts[] = {0, 0, 8, 16, 24, 0, 16}, widths[] = {32, 8, 8, 8, 8, 16, 16};
    const uint32_t mask = masks[m->dst_select], placed = value << shifts[m->dst_select] & mask;
    if (m->dst_select == SIM_DWORD) {
        return value;
    }
    if (m->dst_unused == 2) {
        return (old & ~mask) | placed;
    }
    const bool negative = value >> (widths[m->dst_select] - 1) & 1;
    return placed | (m->dst_unused == 1 && negative ? ~(mask | (mask - 1)) : 0);
}

void sim_write32_any(sim_wave *wave, const sim_instruction *in, uint32_t value[sim_lanes]) {
    const uint64_t enabled = sim_exec_of(wave) & (in->m.dpp ? sim_dpp_enabled(in) : UINT64_MAX);
    uint32_t *to = wave->v[in->operands[0].reg];
    SIM_EACH_LANE(i) {
        if (enabled >> i & 1) {
            to[i] = in->m.sdwa ? put_part(&in->m, to[i], value[i]) : value[i];
        }
    }
}

void sim_write16(sim_wave *wave, const sim_instruction *in, uint32_t value[sim_lanes]) {
    const uint32_t *old = wave->v[in->operands[0].reg];
    const int sources = in->operand_count - in->source;
    if (in->row->flags & SIM_ROW_PRESERVE) {
        const bool high = in->m.op_sel >> sources & 1;
        SIM_EACH_LANE(i) {
            const uint32_t half = value[i] & 0xffff;
            value[i] = high ? (old[i] & 0xffff) | half << 16 : (old[i] & 0xffff0000) | half;
        }
    } else {
        SIM_EACH_LANE(i) {
            value[i] &= 0xffff;
        }
    }
    sim_write32(wave, in, value);
}

void sim_output_f32(const sim_instruction *in, uint32_t value[sim_lanes]) {
    const float factor = ldexpf(1, in->m.output_exponent);
    SIM_EACH_LANE(i) {
        const float x = sim_f32(value[i]) * factor;
        value[i] = sim_u32(!in->m.clamp ? x : !(x > 0) ? 0.0f : x > 1 ? 1.0f : x);
    }
}
void sim_output_f64(const sim_instruction *in, uint64_t value[sim_lanes]) {
    const double factor = ldexp(1, in->m.output_exponent);
    SIM_EACH_LANE(i) {
        const double x = sim_f64(value[i]) * factor;
        value[i] = sim_u64(!in->m.clamp ? x : !(x > 0) ? 0.0 : x > 1 ? 1.0 : x);
    }
}
void sim_output_f16(const sim_instruction *in, uint32_t value[sim_lanes]) {
    const double factor = ldexp(1, in->m.output_exponent);
    SIM_EACH_LANE(i) {
        const double x = (double)sim_half_to_f32(value[i]) * factor;
        value[i] = sim_half_from_f64(!in->m.clamp ? x : !(x > 0) ? 0.0 : x > 1 ? 1.0 : x);
    }
}

uint32_t sim_half_from_f64(double value) {
    const uint64_t bits = sim_u64(value);
    const uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
    const uint64_t mantissa = (bits & 0xfffffffffffff) | UINT64_C(1) << 52;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (value != value) {
        return sign | 0x7e00 | ((uint32_t)(bits >> 42) & 0x1ff);
    }
    if (exponent > 15) {
        return sign | 0x7c00;
    }
    if (exponent < -25) {
        return sign;
    }
    /* The last bit kept stands for 2^(exponent - 10), or 2^-24 among subnormals. */
    const int shift = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    const uint64_t kept = mantissa >> shift, rest = mantissa & ((UINT64_C(1) << shift) - 1);
    const uint64_t half = UINT64_C(1) << (shift - 1);
    const uint32_t rounded = (uint32_t)kept + (rest > half || (rest == half && (kept & 1)));
    const uint32_t base = exponent >= -14 ? (uint32_t)(exponent + 14) << 10 : 0;
    return sign | (base + rounded);
}
