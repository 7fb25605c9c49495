/* float_control.h - the processor's floating-point control bits: rounding, flush-to-zero, exception masks.
 *
 * Host kernels run under one fixed setting, and the caller's is put back; the sticky exception flags are no part of it.
 */
#ifndef FSATTN_FLOAT_CONTROL_H
#define FSATTN_FLOAT_CONTROL_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

/* Everything but the six exception flags of MXCSR. */
#define FSATTN_FLOAT_CONTROL_MASK 0xffc0u
/* Round to nearest even, gradual underflow, all exceptions masked: the state at process start. */
#define FSATTN_FLOAT_CONTROL_DEFAULT 0x1f80u

static inline uint32_t fsattn_float_control_get(void) {
    return _mm_getcsr() & FSATTN_FLOAT_CONTROL_MASK;
}
static inline void fsattn_float_control_set(uint32_t control) {
    _mm_setcsr((_mm_getcsr() & ~FSATTN_FLOAT_CONTROL_MASK) | control);
}

#elif defined(__aarch64__)

#define FSATTN_FLOAT_CONTROL_DEFAULT 0u /* of FPCR */

static inline uint32_t fsattn_float_control_get(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (uint32_t)control;
}
static inline void fsattn_float_control_set(uint32_t control) {
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)control));
}

#endif
#endif
