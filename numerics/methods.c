#include "methods.h"

#include "error.h"
#include "nearest.h"

#include <stdio.h>
#include <string.h>

#define FUSED "softmax=frozen cap=32 exponential=schraudolph_u16_bf16 reduction=u16 row_sum=gemm "
static const fsattn_method methods[] = {
    {"mxfp8", "the paper's kernel: MXFP8 Q K, per-row FP8 P, per-tensor FP8 V",
     FUSED "qk_format=mxfp8 p_format=fp8_row v_format=fp8", 0.99838},
    {"mxfp6", "the paper's kernel: MXFP6 throughout", FUSED "qk_format=mxfp6 p_format=mxfp6 v_format=mxfp6", 0.99791},
    {"mxfp4", "the paper's kernel: MXFP4 Q K V, MXFP6 P", FUSED "qk_format=mxfp4 p_format=mxfp6 v_format=mxfp4", 0.97872},
    {"flash2", "FlashAttention-2/3: online softmax, BF16",
     "softmax=online exponential=exact qk_format=bf16 p_format=bf16 v_format=bf16", 0},
    {"flash4", "FlashAttention-4: rescale past 8 doublings, third-degree polynomial, BF16",
     "softmax=lazy threshold=8 exponential=polynomial degree=3 qk_format=bf16 p_format=bf16 v_format=bf16", 0},
    {"vc", "VC-Attention: U8 Schraudolph read as E4M3, row sum on the vector unit, FP8 operands",
     "softmax=online exponential=schraudolph_u8_e4m3 qk_format=mxfp8 p_format=fp8_row v_format=fp8", 0},
    {"direct_p", "Direct-P: linear map of the score to MXFP4 codes, MXFP4 operands",
     "softmax=online exponential=direct_p qk_format=mxfp4 p_format=mxfp4 v_format=mxfp4", 0.9429},
    {"mxattention", "MXAttention: row sum over quantized P, exact exponential, MXFP4 operands",
     "softmax=online exponential=exact row_sum=gemm qk_format=mxfp4 p_format=mxfp4 v_format=mxfp4", 0},
    {"sage1", "SageAttention: INT8 Q K with K smoothed, P and V in FP16/BF16",
     "softmax=online smooth_k=true exponential=exact qk_format=int8 p_format=bf16 v_format=f16", 0},
    {"sage2", "SageAttention 2: INT4 Q K with K smoothed, P and V in FP8",
     "softmax=online smooth_k=true exponential=exact qk_format=int4 p_format=fp8_row v_format=fp8", 0},
    {"sage3", "SageAttention 3: NVFP4 Q K with K smoothed, P in MXFP4, V in NVFP4",
     "softmax=online smooth_k=true exponential=exact qk_format=nvfp4 p_format=mxfp4 v_format=nvfp4", 0},
    {"attn_qat_mxfp8", "Attn-QAT: MXFP8 Q K, FP8 P V, softmax unchanged",
     "softmax=online exponential=exact qk_format=mxfp8 p_format=fp8_row v_format=fp8", 0.9985},
    {"attn_qat_nvfp4", "Attn-QAT: NVFP4 Q K, FP8 P V, softmax unchanged",
     "softmax=online exponential=exact qk_format=nvfp4 p_format=fp8_row v_format=fp8", 0.9899},
    {"mpfa_int4", "MpFA: INT4 Q K, FP8 P V, softmax unchanged",
     "softmax=online exponential=exact qk_format=int4 p_format=fp8_row v_format=fp8", 0},
};
enum { method_count = sizeof methods / sizeof *methods };

const fsattn_method *fsattn_methods(size_t *count) {
    *count = method_count;
    return methods;
}

fsattn_status fsattn_method_find(const char *name, const fsattn_method **method, fsattn_err *err) {
    const char *names[method_count];
    for (size_t i = 0; i < method_count; i++) {
        names[i] = methods[i].name;
        if (!strcmp(names[i], name)) {
            *method = &methods[i];
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_NOT_FOUND, "unknown method '%s'", name);
    fsattn_nearest_hint(err, name, names, method_count);
    return FSATTN_NOT_FOUND;
}

fsattn_status fsattn_emulator_apply(fsattn_emulator_config *config, const char *switches, fsattn_err *err) {
    while (*switches) {
        const size_t length = strcspn(switches, " ");
        char pair[128], *equals;
        if (length >= sizeof pair) {
            return fsattn_fail(err, FSATTN_PARSE, "emulator switches: '%.40s...' is too long", switches);
        }
        memcpy(pair, switches, length);
        pair[length] = 0;
        if (length > 0) {
            if (!(equals = strchr(pair, '='))) {
                return fsattn_fail(err, FSATTN_PARSE, "emulator switches: expected name=value, got '%s'", pair);
            }
            *equals = 0;
            FSATTN_TRY(fsattn_emulator_set(config, pair, equals + 1, err));
        }
        switches += length + (switches[length] == ' ');
    }
    return FSATTN_OK;
}
