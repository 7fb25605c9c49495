/* One value for each thread and turn; conversions with a scale take pairs of value and scale. */
PROBE(pknorm) {
    EACH_CASE {
        v2us r = B(cvt_pknorm_u16)(f32(in[i]), 0.0f);
        out[i] = r[0];
    }
}
PROBE(fp8) {
    EACH_CASE out[i] = (unsigned short)B(cvt_scalef32_pk_fp8_f32)((v2s){0, 0}, f32(in[2 * i]), 0.0f, f32(in[2 * i + 1]), false)[0] & 0xffu;
}
PROBE(fp8_clamped) {
    B(s_setreg)((0 << 11) | (23 << 6) | 1, 1);
    EACH_CASE out[i] = (unsigned short)B(cvt_scalef32_pk_fp8_f32)((v2s){0, 0}, f32(in[2 * i]), 0.0f, f32(in[2 * i + 1]), false)[0] & 0xffu;
    B(s_setreg)((0 << 11) | (23 << 6) | 1, 0);
}
PROBE(fp4) {
    EACH_CASE out[i] = B(cvt_scalef32_pk_fp4_f32)(0u, f32(in[2 * i]), 0.0f, f32(in[2 * i + 1]), 0) & 0xfu;
}
PROBE(fp6) {
    EACH_CASE {
        v32bf x;
        for (int k = 0; k < 32; k++) x[k] = __builtin_bit_cast(__bf16, (unsigned short)(in[2 * i] >> 16));
        v6u r = B(cvt_scalef32_pk32_fp6_bf16)(x, f32(in[2 * i + 1]));
        out[i] = r[0] & 0x3fu;
    }
}
/* The value in the first, 0 in the second: a code that is not at its place adds a bit. */
PROBE(fp6_2x16) {
    EACH_CASE {
        v16f x, zero = {};
        v6u r;
        for (int k = 0; k < 16; k++) x[k] = f32(in[2 * i]);
        asm volatile("v_cvt_scalef32_2xpk16_fp6_f32 %0, %1, %2, %3" : "=&v"(r) : "v"(x), "v"(zero), "v"(f32(in[2 * i + 1])));
        const unsigned code = r[0] & 0x3fu;
        unsigned bad = 0;
        for (int k = 0; k < 32; k++) {
            const unsigned word = r[6 * k / 32], next = 6 * k / 32 < 5 ? r[6 * k / 32 + 1] : 0;
            const unsigned field = (unsigned)((((unsigned long)next << 32) | word) >> (6 * k % 32)) & 0x3fu;
            bad |= field != (k % 2 ? 0 : code);
        }
        out[i] = code | bad << 8;
    }
}
PROBE(maximum3) {
    EACH_CASE {
        v2h x = __builtin_bit_cast(v2h, in[2 * i]), y = __builtin_bit_cast(v2h, in[2 * i + 1]);
        v2h r = __builtin_elementwise_maximum(__builtin_elementwise_maximum(x, y), y);
        out[i] = __builtin_bit_cast(unsigned, r);
    }
}
PROBE(bf16) {
    EACH_CASE out[i] = (unsigned)__builtin_bit_cast(unsigned short, (__bf16)f32(in[i])) << 16;
}
