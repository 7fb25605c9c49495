/* sim_report.h - what the time model says of a launch, as text and as a Chrome trace. Every text says "modelled".
 *
 * Figures are those of the workgroups that were replayed together on one compute unit; the launch as a whole is one line. The cycles
 * of the waves are split without a rest: what each spent on issuing, by unit, and on waiting, by reason, adds up to their time.
 * Files are those that the environment names: FSATTN_SIM_REPORT, to which every launch appends its text, FSATTN_SIM_TRACE, which holds the
 * trace of the longest launch; FSATTN_SIM_KERNEL: of kernels of that name alone. What cannot be written is told on stderr and changes nothing. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "sim_launch.h"
#include "text.h"

/* Appends cycles of the launch, share of the matrix bound, units, and where the waves' cycles went: both bounds beside each other. */
void sim_report_text(const sim_launch *launch, const sim_result *result, fsattn_text *out);
/* Appends Chrome's trace format (Perfetto, chrome://tracing). A process for each SIMD, in it four rows for each wave: matrix, vector,
 * all other instructions, waits. A cycle is shown as a microsecond. `bound`: the one that the timeline was made for. */
void sim_report_chrome(const sim_launch *launch, const sim_result *result, sim_bound bound, const sim_timeline *timeline,
                       fsattn_text *out);

/* What the environment wants of a launch. */
typedef struct sim_report {
    bool other;               /* FSATTN_SIM_KERNEL names another kernel */
    const char *text, *trace; /* paths, or NULL */
    sim_timeline timeline;    /* for the launch to fill when there is a trace to write */
} sim_report;
/* The longest launch whose trace has been written. */
typedef struct sim_report_longest {
    pthread_mutex_t lock;
    double cycles;
} sim_report_longest;

sim_report sim_report_wanted(const char *kernel);
/* After a launch that was timed. */
void sim_report_write(const sim_report *report, sim_report_longest *longest, const sim_launch *launch, const sim_result *result,
                      sim_bound bound);
void sim_report_fini(sim_report *report);

#endif
