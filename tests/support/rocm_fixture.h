/* rocm_fixture.h - the compiler for tests that need it; they are skipped, with the reason, where there is
 * none. */
#ifndef FSATTN_ROCM_FIXTURE_H
#define FSATTN_ROCM_FIXTURE_H

#include "hiprtc.h"

#include <criterion/criterion.h>
#include <stdio.h>

static inline fsattn_hiprtc *rocm_or_skip(void) {
    fsattn_hiprtc *hiprtc = NULL;
    fsattn_err err;
    const fsattn_status status = fsattn_hiprtc_open(NULL, &hiprtc, &err);
    if (status == FSATTN_NOT_FOUND) {
        printf("skipped: compiling for gfx950: %s\n", err.message);
        fflush(stdout);
        cr_skip_test("%s", err.message);
    }
    cr_assert_eq(status, FSATTN_OK, "%s", err.message);
    return hiprtc;
}

#endif
