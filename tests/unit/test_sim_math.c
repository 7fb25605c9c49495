/* Mathematical and integer functions as HIPRTC compiles them, against this processor's: tests/data/sim/math.hip. Skipped without
 * ROCm. */
#include "../support/sim_device.h"

#include <math.h>

enum { n = 4096, block = 256, functions_max = 24 };

static int64_t distance(double a, double b, bool is_float) {
    if (a != a || b != b) {
        return (a != a) == (b != b) ? 0 : INT64_MAX;
    }
    if (is_float) {
        const float x = (float)a, y = (float)b;
        int32_t i, k;
        memcpy(&i, &x, 4);
        memcpy(&k, &y, 4);
        i = i < 0 ? INT32_MIN - i : i;
        k = k < 0 ? INT32_MIN - k : k;
        return llabs((long long)i - k);
    }
    int64_t i, k;
    memcpy(&i, &a, 8);
    memcpy(&k, &b, 8);
    i = i < 0 ? INT64_MIN - i : i;
    k = k < 0 ? INT64_MIN - k : k;
    return i > k ? i - k : k - i;
}

/* Around 0 and over the whole range, with the special values first. */
static double sample(int i, uint32_t *seed) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 0x1p-149, 0x1p-126, 0x1.fffffep127};
    const int count = sizeof special / sizeof *special;
    if (i < count) {
        return special[i];
    }
    const double value = (double)sim_device_uniform(seed);
    return i % 2 ? value * 8 : ldexp(value, (int)(sim_device_random(seed) % 200) - 100);
}

/* Function k of the kernel in double, and how many units in the last place are allowed. */
static double expect_float(int k, double x) {
    int e;
    switch (k) {
    case 0: return exp(x);
    case 1: return log(fabs(x));
    case 2: return sin(x);
    case 3: return cos((double)((float)x * 100000.f));
    case 4: return pow(fabs(x), (double)1.7f);
    case 5: return 1 / x;
    case 6: return sqrt(fabs(x));
    case 7: return tanh(x);
    case 8: return exp2(x);
    case 9: return 1 / sqrt(fabs(x));
    case 10: return (double)(floorf((float)x) + ceilf((float)x) * 2 + rintf((float)x) * 3 + truncf((float)x));
    case 11: return fmod(x, (double)1.3f);
    case 12: return ldexp(x, 3);
    case 13: e = 0; return isfinite(x) ? (double)((float)frexp(x, &e) + (float)e) : x;
    case 14: return erf(x);
    default: return x; /* 15: the fast exponential has no bound over the whole range */
    }
}
Test(sim_math, float_functions) {
    static const int allowed[] = {1, 1, 2, 2, 1, 1, 1, 2, 1, 2, 0, 0, 0, 0, 4};
    static float in[n], out[16 * n];
    uint32_t seed = 1;
    for (int i = 0; i < n; i++) {
        in[i] = (float)sample(i, &seed);
    }
    sim_device d = sim_device_compiled("math");
    struct {
        void *in, *out;
        int n;
    } arguments = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out), n};
    sim_device_run(&d, "libm_float", n / block, block, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    for (int k = 0; k < (int)(sizeof allowed / sizeof *allowed); k++) {
        for (int i = 0; i < n; i++) {
            const double expected = expect_float(k, (double)in[i]);
            cr_expect(distance((double)out[k * n + i], expected, true) <= allowed[k], "function %d of %a: %a, not %a", k, (double)in[i],
                      (double)out[k * n + i], expected);
        }
    }
    fsattn_device_release(d.device, arguments.in);
    fsattn_device_release(d.device, arguments.out);
    sim_device_close(&d);
}

static double expect_double(int k, double x) {
    switch (k) {
    case 0: return exp(x);
    case 1: return log(fabs(x));
    case 2: return sin(x);
    case 3: return cos(x);
    case 4: return pow(fabs(x), 1.7);
    case 5: return 1 / x;
    case 6: return sqrt(fabs(x));
    case 7: return floor(x);
    case 8: return rint(x);
    case 9: return fma(x, x, 1.0);
    case 10: return fmax(x, 0.5) + fmin(x, -0.5);
    default: return (double)(float)x;
    }
}
Test(sim_math, double_functions) {
    static const int allowed[] = {1, 1, 2, 2, 1, 0, 1, 0, 0, 0, 0, 0};
    static double in[n], out[14 * n];
    uint32_t seed = 2;
    for (int i = 0; i < n; i++) {
        in[i] = sample(i, &seed);
    }
    sim_device d = sim_device_compiled("math");
    struct {
        void *in, *out;
        int n;
    } arguments = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out), n};
    sim_device_run(&d, "libm_double", n / block, block, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    for (int k = 0; k < (int)(sizeof allowed / sizeof *allowed); k++) {
        for (int i = 0; i < n; i++) {
            const double expected = expect_double(k, in[i]);
            cr_expect(distance(out[k * n + i], expected, false) <= allowed[k], "function %d of %a: %a, not %a", k, in[i], out[k * n + i],
                      expected);
        }
    }
    fsattn_device_release(d.device, arguments.in);
    fsattn_device_release(d.device, arguments.out);
    sim_device_close(&d);
}

/* ---- integers -------------------------------------------------------------------------------------------- */

static uint32_t reversed(uint32_t a) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) {
        r |= (a >> i & 1) << (31 - i);
    }
    return r;
}
static uint32_t bytes_of(uint32_t x, uint32_t y, uint32_t selector) {
    const uint64_t both = (uint64_t)y << 32 | x;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        r |= (uint32_t)(both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    }
    return r;
}
static void expect_integers(int32_t x, int32_t y, uint64_t o[20]) {
    const uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
    const int64_t lx = (int64_t)x * y + y, ly = (int64_t)y * 77777 + x;
    const uint64_t ulx = (uint64_t)lx, uly = (uint64_t)ly;
    const int32_t ax = x < 0 ? (int32_t)-ux : x;
    const int64_t values[20] = {
        y ? (x == INT32_MIN && y == -1 ? x : x / y) : 0, y ? (y == -1 ? 0 : x % y) : 0, uy ? ux / uy : 0, uy ? ux % uy : 0,
        ly ? lx / ly : 0, uly ? (int64_t)(ulx % uly) : 0, (int32_t)(((int64_t)x * y) >> 32),
        (int64_t)(uint64_t)(((unsigned __int128)ulx * uly) >> 64), __builtin_popcount(ux) + __builtin_popcountll(ulx),
        (ux ? __builtin_clz(ux) : 32) + (ulx ? __builtin_clzll(ulx) : 64), __builtin_ffs(x) + __builtin_ffsll(lx), reversed(ux),
        (int64_t)((ulx << (y & 63)) ^ (uint64_t)(lx >> (y & 31)) ^ (ulx >> (x & 63))), bytes_of(ux, uy, 0x5140),
        /* max(int, int) - min(unsigned, unsigned) */
        (uint32_t)(x > y ? x : y) - (ux < uy ? ux : uy),
        (uint32_t)ax + ((int32_t)(ux - uy) < 0 ? uy - ux : ux - uy) + 1u, (int32_t)(int16_t)x * (int16_t)y + (int8_t)x,
        (int64_t)(ulx * uly), 0, 0};
    for (int k = 0; k < 20; k++) {
        o[k] = (uint64_t)values[k];
    }
}
Test(sim_math, integer_functions) {
    enum { checked = 18 };
    static int32_t a[n], b[n];
    static uint64_t out[20 * n];
    uint32_t seed = 3;
    for (int i = 0; i < n; i++) {
        a[i] = (int32_t)(sim_device_random(&seed) << 8 ^ sim_device_random(&seed));
        b[i] = (int32_t)(sim_device_random(&seed) << 8 ^ sim_device_random(&seed)) >> (i % 31);
    }
    a[0] = b[1] = 0;
    sim_device d = sim_device_compiled("math");
    struct {
        void *a, *b, *out;
        int n;
    } arguments = {sim_device_put(&d, a, sizeof a), sim_device_put(&d, b, sizeof b), sim_device_put(&d, out, sizeof out), n};
    sim_device_run(&d, "integers", n / block, block, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    for (int i = 0; i < n; i++) {
        uint64_t expected[20];
        expect_integers(a[i], b[i], expected);
        for (int k = 0; k < checked; k++) {
            const bool narrow = k == 14 || k == 15;
            const uint64_t mask = narrow ? UINT32_MAX : UINT64_MAX;
            cr_expect_eq(out[k * n + i] & mask, expected[k] & mask, "function %d of %d, %d: %llx, not %llx", k, a[i], b[i],
                         (unsigned long long)out[k * n + i], (unsigned long long)expected[k]);
        }
    }
    fsattn_device_release(d.device, arguments.a);
    fsattn_device_release(d.device, arguments.b);
    fsattn_device_release(d.device, arguments.out);
    sim_device_close(&d);
}

/* ---- scratch, calls, variables, atomics ------------------------------------------------------------------- */

Test(sim_math, scratch_and_calls) {
    enum { lanes = 64 };
    static int32_t in[lanes + 1], out[lanes];
    uint32_t seed = 4;
    for (int i = 0; i <= lanes; i++) {
        in[i] = (int32_t)(sim_device_random(&seed) % 1000) + 1;
    }
    sim_device d = sim_device_compiled("math");
    struct {
        void *in, *out;
        int n;
    } arguments = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out), lanes};
    sim_device_run(&d, "scratch", 1, lanes, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    for (int i = 0; i < lanes; i++) {
        int32_t t[64];
        uint32_t s = 0;
        for (int j = 0; j < 64; j++) {
            t[j] = in[(i + j) % lanes];
        }
        for (int j = 0; j < 64; j++) {
            const int k = t[j] & 63;
            s = s * 31 + (uint32_t)t[k];
            t[(k * 7 + j) & 63] = (int32_t)s;
        }
        cr_assert_eq(out[i], (int32_t)s, "%d", i);
    }
    sim_device_run(&d, "calls", 1, lanes, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    for (int i = 0; i < lanes; i++) {
        int expected = 0;
        for (int k = 0; k < 2; k++) {
            int x = in[i] + k, steps = 0;
            for (; x != 1; steps++) {
                x = x & 1 ? 3 * x + 1 : x / 2;
            }
            expected += steps * (k ? 1000 : 1);
        }
        cr_assert_eq(out[i], expected);
    }
    fsattn_device_release(d.device, arguments.in);
    fsattn_device_release(d.device, arguments.out);
    sim_device_close(&d);
}

Test(sim_math, variables_of_a_module_keep_their_value) {
    static float out[64];
    sim_device d = sim_device_compiled("math");
    void *memory = sim_device_put(&d, out, sizeof out);
    for (int k = 0; k < 3; k++) {
        sim_device_run(&d, "globals", 1, 64, memory);
        sim_device_get(&d, out, memory, sizeof out);
        for (int i = 0; i < 64; i++) {
            cr_assert_eq(out[i], (float)((i & 7) + 1) * (float)(5 + k));
        }
    }
    fsattn_device_release(d.device, memory);
    sim_device_close(&d);
}
