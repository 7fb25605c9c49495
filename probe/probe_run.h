/* probe_run.h - runs probes on a device and says what came out.
 *
 * Kernels are compiled in HIPRTC's helpers, one file at a time; each probe runs in a child process of its own, with a deadline, so that a
 * fault or a hang costs one probe. This process never loads HIP. One thread. */
#ifndef PROBE_RUN_H
#define PROBE_RUN_H

#include "device.h"
#include "probe.h"

typedef struct probe_settings {
    const char *device;  /* "hip" or "sim" */
    const char *library; /* libamdhip64, or NULL: found as the tuner does */
    double time_limit_s; /* of one probe */
} probe_settings;

typedef struct probe_session probe_session;
/* Opens the device once, in a child, to see what it is. FSATTN_DEVICE with both ways on when there is none; FSATTN_NOT_FOUND without a
 * compiler. */
fsattn_status probe_session_open(const probe_settings *settings, probe_session **session, fsattn_err *err);
void probe_session_close(probe_session *session); /* accepts NULL */
const fsattn_device_properties *probe_session_device(const probe_session *session);
/* An error only when nothing can go on. */
fsattn_status probe_session_run(probe_session *session, const probe *p, probe_outcome *outcome, fsattn_err *err);

/* What `seen` says: for probe_session_run and tests. */
fsattn_status probe_judge(const probe *p, const uint32_t *in, const uint32_t *seen, probe_outcome *outcome, fsattn_err *err);
/* Adds the outcome to a file of facts: a switch where there is one and a value explains what was seen, else a note. */
fsattn_status probe_record(const probe *p, const probe_outcome *outcome, fsattn_facts *facts, fsattn_err *err);

#endif
