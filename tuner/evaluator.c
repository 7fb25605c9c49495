#include "evaluator.h"

#include <stdarg.h>
#include <stdio.h>

void fsattn_outcome_set(fsattn_outcome *outcome, fsattn_verdict verdict, const char *format, ...) {
    va_list arguments;
    *outcome = (fsattn_outcome){.verdict = verdict};
    va_start(arguments, format);
    vsnprintf(outcome->reason, sizeof outcome->reason, format, arguments);
    va_end(arguments);
}
