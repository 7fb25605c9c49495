/* sim_rows.h - how a file of instructions hands out its table. Included by files that are compiled once per processor level:
 * SIM_LEVEL is the suffix of that level's tables (see CMakeLists.txt). */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim_facts.h"
#include "sim_operands.h"

#ifndef SIM_LEVEL
#define SIM_LEVEL base
#endif
#define SIM_JOIN_(a, b) a##_##b
#define SIM_JOIN(a, b) SIM_JOIN_(a, b)
#define SIM_DEFINE_TABLE(stem)                                                                               \
    extern const sim_table SIM_JOIN(stem##_table, SIM_LEVEL);                                                \
    const sim_table SIM_JOIN(stem##_table, SIM_LEVEL) = {#stem, rows, sizeof rows / sizeof rows[0]}

#endif
