/* The instruction tables of each processor level, and which of them this processor runs. */
#include "sim_program.h"

/* X(stem): files compiled once per level (CMakeLists.txt has the same list). */
#define TABLE_LIST(X)                                                                                        \
    X(sim_scalar)                                                                                            \
    X(sim_vector)                                                                                            \
    X(sim_vector64)                                                                                          \
    X(sim_half)                                                                                              \
    X(sim_compare)                                                                                           \
    X(sim_memory)                                                                                            \
    X(sim_lds)                                                                                               \
    X(sim_lane)                                                                                              \
    X(sim_convert)                                                                                           \
    X(sim_matrix)
#define X(stem) extern const sim_table stem##_table_base;
TABLE_LIST(X)
#undef X
#ifdef SIM_HAS_V3
#define X(stem) extern const sim_table stem##_table_v3;
TABLE_LIST(X)
#undef X
#endif

const sim_table *const *sim_program_tables(void) {
    static const sim_table *const base[] = {
#define X(stem) &stem##_table_base,
        TABLE_LIST(X)
#undef X
            NULL,
    };
#ifdef SIM_HAS_V3
    static const sim_table *const v3[] = {
#define X(stem) &stem##_table_v3,
        TABLE_LIST(X)
#undef X
            NULL,
    };
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        return v3;
    }
#endif
    return base;
}
