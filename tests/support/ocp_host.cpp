// Number formats against AMD's host reference, hip/amd_detail/amd_hip_ocp_host.hpp: every code, every midpoint and its two neighbours,
// random floats, with and without a block scale. Compiled by tests/transcripts/ocp_host.sh where a ROCm root is.
//
// AMD's header takes HIP's compiler or GCC 14. It needs of them two 16-bit types that differ from float and from each other, and
// vectors of any length; Clang has the latter, and the former are never computed with.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#if !defined(__clang__)
#error "compile with clang++"
#endif
#undef __clang_major__
#define __clang_major__ 18
#define __HIP__ 1
#define __host__
#define __device__
#define __bf16 short
#define _Float16 unsigned short
#include <hip/amd_detail/amd_hip_ocp_host.hpp>

extern "C" {
#include "formats.h"
}

static long checked, explained, failed;

static void check(bool good, const char *what, const char *format, double value, uint32_t ours, uint32_t theirs) {
    checked++;
    if (!good && failed++ < 20) {
        std::printf("%s %s: %a (%g): ours 0x%x, theirs 0x%x\n", format, what, value, value, ours, theirs);
    }
}

template <fcbx::Encoding E> static void decode(fsattn_format format, int bits) {
    for (uint32_t code = 0; code < 1u << bits; code++) {
        const float theirs = fcbx::to_float<float, E, true>(code, 0);
        const float ours = (float)fsattn_format_decode(format, code);
        const bool same = std::isnan(ours) ? std::isnan(theirs) : ours == theirs && std::signbit(ours) == std::signbit(theirs);
        check(same, "decode", fsattn_format_describe(format)->name, ours, code, fcbx::U32(theirs));
    }
}

// `saturating` is AMD's template argument, and their E4M3 does not saturate with it: overflow is 0x7F either way, which is NaN in OCP's
// E4M3 (and the largest value of the older E4M3FNUZ, from which the branch comes). The conversion instructions give NaN as well unless
// MODE.FP16_OVFL is set; then they saturate as FSATTN_OVERFLOW_SATURATE does. So theirs is compared with the special overflow, and where
// that is NaN the saturating one must be the largest value.
//
// With a block scale 2^scale it is a conversion of x / 2^scale.
template <fcbx::Encoding E, bool saturating> static void encode(fsattn_format format, float x, int scale) {
    const fsattn_format_properties *p = fsattn_format_describe(format);
    const double value = std::ldexp((double)x, -scale);
    uint32_t ours = fsattn_format_encode(format, value, saturating ? FSATTN_OVERFLOW_SATURATE : FSATTN_OVERFLOW_SPECIAL);
    const uint32_t theirs = fcbx::from_float<float, E, saturating>(x, (int8_t)scale);
    const uint32_t special = fsattn_format_encode(format, value, FSATTN_OVERFLOW_SPECIAL);
    if (saturating && p->has_nan && !std::isnan(x) && (special & 0x7f) == 0x7f) {
        explained++;
        check(ours == (special & 0x80 | 0x7e), "overflow", p->name, x, ours, theirs);
        ours = special;
    }
    check(ours == theirs, saturating ? "saturating" : "special", p->name, x, ours, theirs);
}

template <fcbx::Encoding E> static void all(fsattn_format format, int scale, bool special) {
    const uint32_t half = 1u << (fsattn_format_describe(format)->bits - 1);
    const auto both = [&](float x) {
        for (float y : {x, -x}) {
            encode<E, true>(format, y, scale);
            if (special) {
                encode<E, false>(format, y, scale);
            }
        }
    };
    const float unit = std::ldexp(1.0f, scale);
    for (uint32_t code = 0; code < half; code++) {
        const double a = fsattn_format_decode(format, code), b = fsattn_format_decode(format, code + 1 < half ? code + 1 : code);
        if (std::isnan(a)) {
            continue;
        }
        const float middle = (float)((a + (std::isnan(b) ? a : b)) / 2) * unit;
        both((float)a * unit);
        both(middle);
        both(std::nextafter(middle, 0.0f));
        both(std::nextafter(middle, 1e30f));
    }
    uint32_t state = 12345;
    for (int i = 0; i < 500000; i++) {
        state = state * 1664525u + 1013904223u;
        const uint32_t bits = state ^ state >> 13; // every exponent, infinity and NaN too
        const float x = fcbx::F32(bits);
        const float near = std::ldexp(1 + (float)(bits & 0xffff) / 65536, (int)(bits >> 16 & 31) - 20) * unit;
        both(x);
        both(near);
    }
}

int main() {
    decode<fcbx::Encoding::E4M3>(FSATTN_FORMAT_E4M3, 8);
    decode<fcbx::Encoding::E2M3>(FSATTN_FORMAT_E2M3, 6);
    decode<fcbx::Encoding::E2M1>(FSATTN_FORMAT_E2M1, 4);
    all<fcbx::Encoding::E4M3>(FSATTN_FORMAT_E4M3, 0, true);
    for (int scale : {0, -9, 5, -60, 40}) {
        all<fcbx::Encoding::E4M3Mx>(FSATTN_FORMAT_E4M3, scale, true);
        all<fcbx::Encoding::E2M3>(FSATTN_FORMAT_E2M3, scale, true);
        all<fcbx::Encoding::E2M1>(FSATTN_FORMAT_E2M1, scale, true);
    }
    std::printf("%ld conversions compared with AMD's host reference: %ld overflows of E4M3 saturate only here, %ld others differ\n", checked,
                explained, failed);
    return failed != 0 || explained == 0;
}
