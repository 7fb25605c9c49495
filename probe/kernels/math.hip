PROBE(exp2_) { EACH_CASE out[i] = u32(B(exp2f)(f32(in[i]))); }
PROBE(log2_) { EACH_CASE out[i] = u32(B(logf)(f32(in[i]))); }
PROBE(rcp) { EACH_CASE out[i] = u32(B(rcpf)(f32(in[i]))); }
