/* inspect_report.h - one configuration of a GPU template, compiled and told for people: registers, LDS, the main loop by unit, the
 * roofline of its tile, and how near to the matrix unit's bound its loop can come.
 *
 * The roofline is that of the paper's section 3 and appendix D, for the configuration's own tile and formats: cycles of a compute
 * unit for one tile of keys, if nothing but one resource counted. Needs no GPU.
 */
#ifndef FSATTN_INSPECT_REPORT_H
#define FSATTN_INSPECT_REPORT_H

#include "hiprtc.h"
#include "inspect.h"
#include "manifest.h"

/* Renders, compiles, appends the report; with `listing` the disassembly in front. FSATTN_INVALID with the reason when the manifest
 * rejects the configuration, FSATTN_COMPILE when it does not compile. */
fsattn_status fsattn_inspect_report(fsattn_hiprtc *hiprtc, fsattn_manifest *manifest, const fsattn_setting *setting,
                                    const fsattn_config *config, bool listing, fsattn_text *out, fsattn_err *err);

/* Cycles of a compute unit for one tile of keys. */
typedef struct fsattn_roofline {
    double hbm, lds, gemm, vector; /* section 3; 0: unknown */
    double bound;                  /* of the kernel's own matrix instructions, row sum included */
} fsattn_roofline;
/* Zero for what the manifest does not say. */
fsattn_status fsattn_inspect_roofline(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                      fsattn_roofline *roofline, fsattn_err *err);

#endif
