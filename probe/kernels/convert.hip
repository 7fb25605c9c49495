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
PROBE(maximum3) {
    EACH_CASE {
        v2h x = __builtin_bit_cast(v2h, in[2 * i]), y = __builtin_bit_cast(v2h, in[2 * i + 1]);
        v2h r = __builtin_elementwise_maximum(__builtin_elementwise_maximum(x, y), y);
        out[i] = __builtin_bit_cast(unsigned, r);
    }
}
PROBE(bf16) {
    EACH_CASE out[i] = __builtin_bit_cast(unsigned short, (__bf16)f32(in[i]));
}
