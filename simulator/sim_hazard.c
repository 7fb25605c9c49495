#include "sim_hazard.h"

/* Who wrote a register, by the manual's classes: matrices in FP32 and FP64 are SGEMM and DGEMM, all others XDL. */
typedef enum writer { XDL, SGEMM, DGEMM_16, DGEMM_4, writers } writer;
typedef enum touch { SAME_C, OTHER_C, AB, VECTOR, MEMORY, touches } touch;

/* Wait states by the writer's passes of 4 cycles: 2, 4, 8, 16. ISA manual, 7.6, Table 38; where its rows are smudged, and for C of 2
 * passes, LLVM's GCNHazardRecognizer (checkMAIHazards90A, checkMAIVALUHazards, gfx950). C of the same registers is forwarded. The manual
 * wants equal passes for that too; the compiler does not, and what it makes is not complained about. So it is with 20 behind 16 passes: LLVM
 * wants them on gfx950 and looks back over 19 (MaxWaitStates), which its code then sometimes has. */
static const uint8_t needed[writers][touches][4] = {
    [XDL] = {[SAME_C] = {2, 0, 0, 0}, [OTHER_C] = {3, 6, 10, 18}, [AB] = {5, 8, 12, 19}, [VECTOR] = {5, 8, 12, 19}, [MEMORY] = {5, 8, 12, 19}},
    [SGEMM] = {[SAME_C] = {2, 0, 0, 0}, [OTHER_C] = {2, 4, 8, 16}, [AB] = {4, 6, 10, 18}, [VECTOR] = {4, 6, 10, 18}, [MEMORY] = {4, 6, 10, 18}},
    [DGEMM_16] = {[SAME_C] = {0, 0, 0, 0}, [OTHER_C] = {0, 0, 0, 17}, [AB] = {0, 0, 0, 19}, [VECTOR] = {0, 0, 0, 19}, [MEMORY] = {0, 0, 0, 18}},
    [DGEMM_4] = {[SAME_C] = {0, 4, 0, 0}, [OTHER_C] = {0, 4, 0, 0}, [AB] = {0, 6, 0, 0}, [VECTOR] = {0, 6, 0, 0}, [MEMORY] = {0, 9, 0, 0}},
};
/* A vector instruction overwrites what an XDL reads as C: Table 38, last row. */
static const uint8_t needed_after_read[4] = {1, 3, 7, 15};
/* A matrix instruction reads what a vector instruction wrote, or follows a v_cmpx: Table 38, first and last row but one. */
enum { after_vector = 2, after_cmpx = 4 };

static unsigned column_of(const sim_instruction *matrix) {
    const unsigned passes = matrix->cost.manual / 4u;
    return passes <= 2 ? 0 : passes <= 4 ? 1 : passes <= 8 ? 2 : 3;
}
static writer writer_of(const sim_instruction *matrix) {
    const char *name = matrix->row->mnemonic, *end = name + strlen(name);
    if (strstr(name, "_f64_")) {
        return strstr(name, "_4x4x4") ? DGEMM_4 : DGEMM_16;
    }
    return !strcmp(end - 4, "_f32") ? SGEMM : XDL;
}
static bool is_sparse(const sim_instruction *matrix) { return !strncmp(matrix->row->mnemonic, "v_smfmac", 8); }
/* Which operand is C: that of a sparse instruction is its destination. */
static int c_of(const sim_instruction *matrix) { return is_sparse(matrix) ? 0 : 3; }

static bool overlap(const sim_operand *a, const sim_operand *b) {
    return a->kind == SIM_OPERAND_VGPR && b->kind == SIM_OPERAND_VGPR && a->reg < b->reg + b->count && b->reg < a->reg + a->count;
}

void sim_hazard_start(sim_hazard *hazard) {
    memset(hazard, 0, sizeof *hazard);
    hazard->clock = 2 * sim_hazard_longest; /* what is not there lies long ago */
}

/* `did`: what the earlier instruction does to the register. False when it came too early. */
static bool far_enough(sim_wave *wave, const sim_instruction *in, const sim_operand *o, const sim_operand *of, const sim_instruction *earlier,
                       uint64_t at, unsigned wanted, const char *does, const char *did) {
    const uint64_t between = wave->hazard->clock - at - earlier->states;
    if (between >= wanted) {
        return true;
    }
    const unsigned reg = o->reg > of->reg ? o->reg : of->reg;
    sim_fault(wave, in, -1, "%c%u is %s %llu wait states behind '%s' at pc 0x%llx, which %s it (%u needed, %llu missing)",
              reg < sim_agpr ? 'v' : 'a', reg % sim_agpr, does, (unsigned long long)between, earlier->text,
              (unsigned long long)earlier->address, did, wanted, wanted - (unsigned long long)between);
    return false;
}

/* Wait states between the matrix instruction that writes `to` and operand k of `in`. */
static unsigned wanted_after(const sim_instruction *matrix, const sim_operand *to, const sim_instruction *in, int k) {
    const sim_operand *o = &in->operands[k];
    const writer first = writer_of(matrix);
    if (in->cost.unit != SIM_UNIT_MATRIX) {
        return needed[first][in->cost.unit == SIM_UNIT_VECTOR ? VECTOR : MEMORY][column_of(matrix)];
    }
    if (k != c_of(in)) {
        return needed[first][AB][column_of(matrix)];
    }
    if (first != XDL && writer_of(in) == XDL) {
        return o->reg == to->reg && o->count == to->count ? needed[first][SAME_C][column_of(matrix)] : 0;
    }
    return needed[first][o->reg == to->reg && o->count == to->count ? SAME_C : OTHER_C][column_of(matrix)];
}

/* The last matrix instruction that writes (or reads as C) a part of the operand counts: those before it are done when it is. */
static bool check_operand(sim_wave *wave, const sim_instruction *in, int k) {
    const sim_hazard *h = wave->hazard;
    const sim_operand *o = &in->operands[k];
    const bool vector = in->cost.unit == SIM_UNIT_VECTOR, writes = o->role == 'D';
    bool written = !vector && writes, read = !vector || !writes; /* looked for no more */
    for (uint32_t i = h->matrix_count; i > 0 && h->matrix_count - i < sim_hazard_matrices && !(written && read); i--) {
        const sim_instruction *matrix = h->matrices[(i - 1) % sim_hazard_matrices].in;
        const uint64_t at = h->matrices[(i - 1) % sim_hazard_matrices].at;
        const sim_operand *to = &matrix->operands[0], *c = &matrix->operands[c_of(matrix)];
        if (h->clock - at > sim_hazard_longest) {
            break;
        }
        if (!written && overlap(o, to)) {
            written = true;
            if (!far_enough(wave, in, o, to, matrix, at, wanted_after(matrix, to, in, k), writes ? "written" : "read", "writes")) {
                return false;
            }
        }
        if (!read && writer_of(matrix) == XDL && overlap(o, c)) {
            read = true;
            if (!far_enough(wave, in, o, c, matrix, at, needed_after_read[column_of(matrix)], "written", "reads")) {
                return false;
            }
        }
    }
    return true;
}

/* What a vector instruction has just written, as a matrix instruction's operand. */
static bool check_vector(sim_wave *wave, const sim_instruction *in, const sim_instruction *vector, uint64_t at) {
    if (!vector->row || !strncmp(vector->row->mnemonic, "v_dot", 5)) {
        return true;
    }
    if (!strncmp(vector->row->mnemonic, "v_cmpx", 6)) {
        const uint64_t between = wave->hazard->clock - at - vector->states;
        if (between < after_cmpx) {
            sim_fault(wave, in, -1, "%llu wait states behind '%s' at pc 0x%llx, which writes exec (%d needed, %llu missing)",
                      (unsigned long long)between, vector->text, (unsigned long long)vector->address, after_cmpx,
                      after_cmpx - (unsigned long long)between);
        }
        return between >= after_cmpx;
    }
    for (int n = 0; n < vector->source; n++) {
        const sim_operand *to = &vector->operands[n];
        for (int k = 0; k < in->operand_count; k++) {
            const sim_operand *o = &in->operands[k];
            if (o->role != 'D' && overlap(o, to) && !far_enough(wave, in, o, to, vector, at, after_vector, "read", "writes")) {
                return false;
            }
        }
    }
    return true;
}

void sim_hazard_check(sim_wave *wave, const sim_instruction *in) {
    sim_hazard *h = wave->hazard;
    const bool matrix = in->cost.unit == SIM_UNIT_MATRIX;
    for (int k = 0; k < in->operand_count; k++) {
        if (in->operands[k].kind == SIM_OPERAND_VGPR && !check_operand(wave, in, k)) {
            return;
        }
    }
    for (uint32_t i = h->vector_count; matrix && i > 0 && h->vector_count - i < sim_hazard_vectors; i--) {
        const uint32_t at = (i - 1) % sim_hazard_vectors;
        if (!check_vector(wave, in, h->vectors[at].in, h->vectors[at].at)) {
            return;
        }
    }
    if (matrix) {
        h->matrices[h->matrix_count % sim_hazard_matrices].in = in;
        h->matrices[h->matrix_count++ % sim_hazard_matrices].at = h->clock;
        h->until = h->clock + sim_hazard_longest + 1;
    }
}
