#include "verdict.h"

#include "error.h"
#include "nearest.h"

#include <string.h>

static const char *const texts[] = {
#define X(name, text) [FSATTN_VERDICT_##name] = text,
    FSATTN_VERDICT_LIST(X)
#undef X
};

const char *fsattn_verdict_text(fsattn_verdict verdict) {
    return (unsigned)verdict < fsattn_verdict_count ? texts[verdict] : "?";
}

fsattn_status fsattn_verdict_parse(const char *text, fsattn_verdict *verdict, fsattn_err *err) {
    for (int i = 0; i < fsattn_verdict_count; i++) {
        if (!strcmp(texts[i], text)) {
            *verdict = (fsattn_verdict)i;
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_PARSE, "unknown verdict '%s'", text);
    fsattn_nearest_hint(err, text, texts, fsattn_verdict_count);
    return FSATTN_PARSE;
}
