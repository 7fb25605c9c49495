/* Inline assembly around matrix instructions with too few wait states; blocks of one wave. */
typedef __attribute__((ext_vector_type(4))) unsigned words;
#define MATRIX "v_mfma_f32_16x16x32_bf16 v[40:43], %0, %1, 0\n"
#define REST "s_waitcnt vmcnt(0)\n s_nop 15\n"
#define RUN(text)                                                                                            \
    words a = {0x3f803f80u, 0x3f803f80u, 0x3f803f80u, 0x3f803f80u}, b = a;                                   \
    asm volatile("s_nop 7\n" text REST                                                                       \
                 : "+v"(a), "+v"(b)                                                                          \
                 : "v"(threadIdx.x * 16), "s"(out)                                                           \
                 : "memory", "v40", "v41", "v42", "v43", "v44", "v45", "v46", "v47")
#define KERNEL(name, text)                                                                                   \
    extern "C" __global__ void name(words *out) { RUN(text); }

KERNEL(vector_reads_early, MATRIX "s_nop 6\n v_mov_b32 v44, v40\n")
KERNEL(store_reads_early, MATRIX "s_nop 3\n global_store_dwordx4 %2, v[40:43], %3\n")
KERNEL(matrix_reads_early, MATRIX "s_nop 6\n v_mfma_f32_16x16x32_bf16 v[44:47], v[40:43], %1, 0\n")
KERNEL(matrix_reads_vector_early, "v_mov_b32 v44, 0\n v_mov_b32 v45, 0\n v_mov_b32 v46, 0\n v_mov_b32 v47, 0\n s_nop 0\n"
                                  "v_mfma_f32_16x16x32_bf16 v[40:43], v[44:47], %1, 0\n")
KERNEL(waits_enough, MATRIX "s_nop 7\n global_store_dwordx4 %2, v[40:43], %3\n")
