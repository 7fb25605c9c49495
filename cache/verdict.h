/* verdict.h - what became of a candidate. */
#ifndef FSATTN_VERDICT_H
#define FSATTN_VERDICT_H

#include "fsattn.h"

/* X(NAME, text). Numbers are stored: append only. */
#define FSATTN_VERDICT_LIST(X)                                                                               \
    X(REJECTED, "rejected")           /* by a constraint, a resource formula or `supports` */                \
    X(BUILD_FAILED, "build-failed")   /* rendering or compilation */                                         \
    X(LAUNCH_FAILED, "launch-failed") /* loading, or the launch itself */                                    \
    X(CRASHED, "crashed")             /* the worker ended without its final message */                       \
    X(TIMEOUT, "timeout")             /* killed at its deadline */                                           \
    X(WRONG, "wrong")                 /* results */                                                          \
    X(OK, "ok")                                                                                              \
    X(UNTIMED, "untimed")             /* right, but no time that counts: 0, no number, impossibly short */
typedef enum fsattn_verdict {
#define X(name, text) FSATTN_VERDICT_##name,
    FSATTN_VERDICT_LIST(X)
#undef X
} fsattn_verdict;
enum { fsattn_verdict_count = FSATTN_VERDICT_UNTIMED + 1 };

/* "build-failed"; "?" for a value outside the list. */
const char *fsattn_verdict_text(fsattn_verdict verdict);
/* FSATTN_PARSE with the nearest in the hint. */
fsattn_status fsattn_verdict_parse(const char *text, fsattn_verdict *verdict, fsattn_err *err);

#endif
