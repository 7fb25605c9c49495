/* Probes of movement between lanes: inputs are numbers of their own places. */
#include "probe.h"

#include <stdio.h>
#include <string.h>

enum { lanes = 64 };

/* ---- permlane swaps -------------------------------------------------------------------------------------------- */

void probe_swap_fill(const probe *p, uint32_t *in) {
    for (uint32_t i = 0; i < p->in_words; i++) {
        in[i] = i;
    }
}
/* Rows of `width` lanes: odd rows of a change with even rows of b. */
void probe_swap_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const unsigned width = *(const unsigned *)p->data;
    (void)value;
    for (unsigned l = 0; l < lanes; l++) {
        const bool odd = l / width % 2;
        out[l] = odd ? in[lanes + l - width] : in[l];
        out[lanes + l] = odd ? in[lanes + l] : in[l + width];
    }
}
void probe_swap_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    (void)in;
    snprintf(text, probe_place_bytes, "%s, lane %zu", word < lanes ? "first" : "second", word % lanes);
}

/* ---- transpose reads -------------------------------------------------------------------------------------------- */

static void put(uint32_t *words, unsigned bit, unsigned bits, uint32_t value) {
    const uint64_t placed = (value & ((UINT64_C(1) << bits) - 1)) << bit % 32;
    words[bit / 32] |= (uint32_t)placed;
    if (placed >> 32) {
        words[bit / 32 + 1] |= (uint32_t)(placed >> 32);
    }
}
static uint32_t get(const uint32_t *words, unsigned bit, unsigned bits) {
    const unsigned word = bit / 32, shift = bit % 32;
    const uint64_t both = words[word] | (shift + bits > 32 ? (uint64_t)words[word + 1] << 32 : 0);
    return (uint32_t)(both >> shift & ((UINT64_C(1) << bits) - 1));
}
/* One turn for each bit of an element's number (column, then lane of 64): all bits of the element are that bit. */
void probe_transpose_fill(const probe *p, uint32_t *in) {
    const probe_transpose *t = p->data;
    memset(in, 0, p->in_words * sizeof *in);
    for (unsigned turn = 0; turn < p->count; turn++) {
        for (unsigned l = 0; l < lanes; l++) {
            for (unsigned n = 0; n < t->count; n++) {
                const unsigned number = n + t->count * l;
                put(in + (turn * lanes + l) * t->words, n * t->bits, t->bits, number >> turn & 1 ? ~0u : 0);
            }
        }
    }
}
void probe_transpose_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const probe_transpose *t = p->data;
    memset(out, 0, p->out_words * sizeof *out);
    for (unsigned turn = 0; turn < p->count; turn++) {
        for (unsigned l = 0; l < lanes; l++) {
            for (unsigned n = 0; n < t->count; n++) {
                unsigned number = 0;
                for (unsigned bit = 0; 1u << bit < 16 * t->count; bit++) {
                    number |= ((l % 16 | n << 4) >> value->order[bit] & 1) << bit;
                }
                const unsigned source = number / t->count + l / 16 * 16, column = number % t->count;
                put(out + (turn * lanes + l) * t->words, n * t->bits, t->bits,
                    get(in + (turn * lanes + source) * t->words, column * t->bits, t->bits));
            }
        }
    }
}
/* Each bit of where an element comes from is one bit of where it is found, or there is no order. */
bool probe_transpose_derive(const probe *p, const uint32_t *in, const uint32_t *seen, fsattn_fact *value) {
    const probe_transpose *t = p->data;
    (void)in;
    for (unsigned turn = 0; 1u << turn < 16 * t->count; turn++) {
        unsigned found = 0;
        for (unsigned bit = 0; 1u << bit < 16 * t->count; bit++) {
            const unsigned l = bit < 4 ? 1u << bit : 0, n = bit < 4 ? 0 : 1u << (bit - 4);
            if (get(seen + (turn * lanes + l) * t->words, n * t->bits, 1)) {
                value->order[turn] = (uint8_t)bit;
                found++;
            }
        }
        if (found != 1) {
            return false;
        }
    }
    return true;
}
void probe_transpose_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    const probe_transpose *t = p->data;
    (void)in;
    snprintf(text, probe_place_bytes, "bit %zu of the element's number, lane %zu, word %zu", word / (lanes * t->words), word / t->words % lanes,
             word % t->words);
}

/* ---- loads into LDS ------------------------------------------------------------------------------------------------ */

void probe_dma_fill(const probe *p, uint32_t *in) {
    for (uint32_t i = 0; i < p->in_words; i++) {
        in[i] = 0x10000 + i;
    }
}
/* LDS address: base + lane * size. The kernel's lanes read in reverse. */
void probe_dma_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const unsigned words = *(const unsigned *)p->data;
    (void)value;
    for (unsigned l = 0; l < lanes; l++) {
        memcpy(out + l * words, in + (lanes - 1 - l) * words, words * sizeof *out);
    }
}
void probe_dma_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    (void)in;
    snprintf(text, probe_place_bytes, "word %zu behind the base", word);
}
