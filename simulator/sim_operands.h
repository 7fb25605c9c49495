/* sim_operands.h - reading and writing operands of a running instruction; the readers and writers of all tables.
 *
 * Readers give 64 lanes, inactive ones included; writers change active lanes only. A reader's result may be the
 * register itself, so functions compute into an array of their own and write at the end: sources and
 * destinations may overlap in any way.
 */
#ifndef SIM_OPERANDS_H
#define SIM_OPERANDS_H

#include "sim_core.h"

#define SIM_EACH_LANE(i) for (int i = 0; i < sim_lanes; i++)

/* ---- scalar ------------------------------------------------------------------------------------------ */

static inline uint32_t sim_scalar32(const sim_wave *wave, const sim_operand *o) {
    switch (o->kind) {
    case SIM_OPERAND_SGPR: return wave->s[o->reg];
    case SIM_OPERAND_SCC: return wave->scc;
    case SIM_OPERAND_VCCZ: return wave->s64[sim_vcc / 2] == 0;
    case SIM_OPERAND_EXECZ: return sim_exec_of(wave) == 0;
    default: return (uint32_t)o->value;
    }
}
static inline uint64_t sim_scalar64(const sim_wave *wave, const sim_operand *o) {
    if (o->kind == SIM_OPERAND_SGPR) {
        return (uint64_t)wave->s[o->reg + 1] << 32 | wave->s[o->reg];
    }
    return o->kind == SIM_OPERAND_CONSTANT ? o->value : sim_scalar32(wave, o);
}
static inline void sim_scalar_write32(sim_wave *wave, const sim_operand *o, uint32_t value) {
    wave->s[o->reg] = value;
}
static inline void sim_scalar_write64(sim_wave *wave, const sim_operand *o, uint64_t value) {
    wave->s[o->reg] = (uint32_t)value;
    wave->s[o->reg + 1] = (uint32_t)(value >> 32);
}

/* ---- vector ------------------------------------------------------------------------------------------ */

/* With neg, abs, op_sel, SDWA, DPP, scalars and constants. */
void sim_read32_any(sim_wave *wave, const sim_instruction *in, int k, uint32_t out[sim_lanes]);
void sim_read64_any(sim_wave *wave, const sim_instruction *in, int k, uint64_t out[sim_lanes]);
void sim_mask_make(sim_wave *wave);
/* The lane that DPP reads for lane i; -1 when there is none. */
int sim_dpp_lane(const sim_modifiers *m, int i);
/* Lanes that DPP switches off although they are active. */
uint64_t sim_dpp_enabled(const sim_instruction *in);

/* Operand k as 64 lanes: the register itself where nothing is to be done to it, else `temporary`. */
static inline const uint32_t *sim_read32(sim_wave *wave, const sim_instruction *in, int k, uint32_t temporary[sim_lanes]) {
    if (in->operands[k].plain) {
        return wave->v[in->operands[k].reg];
    }
    sim_read32_any(wave, in, k, temporary);
    return temporary;
}
static inline void sim_read64(sim_wave *wave, const sim_instruction *in, int k, uint64_t out[sim_lanes]) {
    const sim_operand *o = &in->operands[k];
    if (o->plain) {
        const uint32_t *low = wave->v[o->reg], *high = wave->v[o->reg + 1];
        SIM_EACH_LANE(i) {
            out[i] = (uint64_t)high[i] << 32 | low[i];
        }
    } else {
        sim_read64_any(wave, in, k, out);
    }
}
/* Register `word` of a wide operand, without modifiers. */
static inline void sim_read_word(const sim_wave *wave, const sim_operand *o, unsigned word, uint32_t out[sim_lanes]) {
    if (o->kind == SIM_OPERAND_VGPR) {
        memcpy(out, wave->v[o->reg + word], sizeof wave->v[0]);
    } else {
        const uint32_t value = o->kind == SIM_OPERAND_SGPR ? wave->s[o->reg + word] : (uint32_t)o->value;
        SIM_EACH_LANE(i) {
            out[i] = value;
        }
    }
}

static inline void sim_mask_check(sim_wave *wave) {
    if (wave->mask_exec != sim_exec_of(wave)) {
        sim_mask_make(wave);
    }
}

/* Active lanes of a register. */
static inline void sim_write_register(sim_wave *wave, unsigned reg, const uint32_t value[sim_lanes]) {
    uint32_t *to = wave->v[reg];
    sim_mask_check(wave);
    if (wave->mask_exec == UINT64_MAX) {
        memcpy(to, value, sizeof wave->v[0]);
    } else {
        SIM_EACH_LANE(i) {
            to[i] = (to[i] & ~wave->mask[i]) | (value[i] & wave->mask[i]);
        }
    }
}

/* SDWA's and DPP's way to write; with op_sel for 16-bit results. */
void sim_write32_any(sim_wave *wave, const sim_instruction *in, uint32_t value[sim_lanes]);
/* clamp, mul and div on floats. */
void sim_output_f32(const sim_instruction *in, uint32_t value[sim_lanes]);
void sim_output_f64(const sim_instruction *in, uint64_t value[sim_lanes]);
void sim_output_f16(const sim_instruction *in, uint32_t value[sim_lanes]);

static inline void sim_write32(sim_wave *wave, const sim_instruction *in, uint32_t value[sim_lanes]) {
    if (in->m.sdwa || in->m.dpp) {
        sim_write32_any(wave, in, value);
    } else {
        sim_write_register(wave, in->operands[0].reg, value);
    }
}
static inline void sim_write_f32(sim_wave *wave, const sim_instruction *in, uint32_t value[sim_lanes]) {
    if (in->m.clamp || in->m.output_exponent) {
        sim_output_f32(in, value);
    }
    sim_write32(wave, in, value);
}
/* A 16-bit result: the upper half becomes 0, or is kept where the row says so; op_sel picks the half. */
void sim_write16(sim_wave *wave, const sim_instruction *in, uint32_t value[sim_lanes]);
static inline void sim_write64(sim_wave *wave, const sim_instruction *in, const uint64_t value[sim_lanes]) {
    uint32_t word[sim_lanes];
    SIM_EACH_LANE(i) {
        word[i] = (uint32_t)value[i];
    }
    sim_write_register(wave, in->operands[0].reg, word);
    SIM_EACH_LANE(i) {
        word[i] = (uint32_t)(value[i] >> 32);
    }
    sim_write_register(wave, in->operands[0].reg + 1u, word);
}
static inline void sim_write_f64(sim_wave *wave, const sim_instruction *in, uint64_t value[sim_lanes]) {
    if (in->m.clamp || in->m.output_exponent) {
        sim_output_f64(in, value);
    }
    sim_write64(wave, in, value);
}
/* One bit per lane into scalar operand k, inactive lanes 0. */
static inline void sim_write_bits(sim_wave *wave, const sim_instruction *in, int k, const uint32_t bit[sim_lanes]) {
    uint64_t bits = 0;
    SIM_EACH_LANE(i) {
        bits |= (uint64_t)(bit[i] & 1) << i;
    }
    sim_scalar_write64(wave, &in->operands[k], bits & sim_exec_of(wave));
}

/* ---- 16-bit floats: every half is a float, every float rounds to a half ------------------------------ */

static inline float sim_half_to_f32(uint32_t half) {
    const uint32_t sign = (half & 0x8000) << 16, rest = half & 0x7fff;
    if (rest >= 0x7c00) {
        return sim_f32(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    }
    const float magnitude = sim_f32((rest << 13) + (112u << 23));
    return rest >= 0x400 ? sim_f32(sim_u32(magnitude) | sign)
                         : sim_f32(sim_u32((float)rest * 0x1p-24f) | sign);
}
/* Round to nearest even from a double, so that no result is rounded twice. */
uint32_t sim_half_from_f64(double value);
static inline uint32_t sim_bf16_from_f32(float value) {
    const uint32_t bits = sim_u32(value);
    return value != value ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

#endif
