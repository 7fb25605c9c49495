/* rebuild.h - records whose code object cannot run here, compiled anew from the source that their cache file holds.
 *
 * Nothing is rendered and nothing is searched: the source, the options and the launch are the record's. A record is kept only
 * when what came out of it was run here and is as close to float64 attention as the record says. Its times stay those
 * of the record, which name the device they come from, so that anything timed here is preferred. One thread, a process of its own:
 * a kernel that crashes takes it along.
 *
 * Refuses files that somebody else could have written, records that were never verified, and records without source or accuracy.
 * Of a chain of kernels each code object comes from its own source. One without source (files of older tuners have attention's
 * alone) must run as it is, and the run shows whether it does.
 */
#ifndef FSATTN_REBUILD_H
#define FSATTN_REBUILD_H

#include "fsattn.h"

typedef struct fsattn_rebuild_settings {
    const char *device;   /* "host", "hip" or "sim" */
    const char *library;  /* hip: as in fsattn_options; sim: must be named */
    const char *compiler; /* host: NULL: $CC, else cc */
    const char *rocm;     /* hip and sim: NULL: as hiprtc.h finds it */
    double build_time_limit_s;
    int64_t deadline_ns; /* of fsattn_clock_ns: then nothing is published; 0: none */
    fsattn_warn *warn; /* told about every record that is left out; or NULL */
    void *warn_data;
} fsattn_rebuild_settings;

/* Publishes what was made as `to`, over nothing but another cache file; *made: how many records. FSATTN_COMPILE with the first
 * reason when there is none, and when the deadline has passed, which a kernel that runs does not see. */
fsattn_status fsattn_rebuild_file(const fsattn_rebuild_settings *settings, const char *from, const char *to, size_t *made,
                                  fsattn_err *err);

#endif
