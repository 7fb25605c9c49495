#include "evaluator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fsattn_outcome_set(fsattn_outcome *outcome, fsattn_verdict verdict, const char *format, ...) {
    va_list arguments;
    *outcome = (fsattn_outcome){.verdict = verdict};
    va_start(arguments, format);
    vsnprintf(outcome->reason, sizeof outcome->reason, format, arguments);
    va_end(arguments);
}

void fsattn_verification_add(fsattn_verification *v, const fsattn_accuracy_entry *entry) {
    size_t at = 0;
    while (at < v->accuracy_count && strcmp(v->accuracies[at].distribution, entry->distribution) != 0) {
        at++;
    }
    if (!isfinite(entry->relative_error) || at == fsattn_verification_limit) {
        return;
    }
    fsattn_accuracy_entry *a = &v->accuracies[at];
    if (at == v->accuracy_count) {
        *a = *entry;
        v->accuracy_count++;
        return;
    }
    a->relative_error = fmax(a->relative_error, entry->relative_error);
    a->cosine = fmin(a->cosine, entry->cosine);
    a->maximum_error = fmax(a->maximum_error, entry->maximum_error);
    a->coverage = fmin(a->coverage, entry->coverage);
}

void fsattn_verification_merge(fsattn_verification *v, const fsattn_verification *from) {
    for (size_t i = 0; i < from->accuracy_count; i++) {
        fsattn_verification_add(v, &from->accuracies[i]);
    }
}
