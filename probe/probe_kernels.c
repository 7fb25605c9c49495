#include "probe.h"

#include <string.h>

typedef struct probe_kernel {
    const char *file, *text;
} probe_kernel;
#include "probe_kernels.inc"

static const char *text_of(const char *file) {
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (!strcmp(kernels[i].file, file)) {
            return kernels[i].text;
        }
    }
    return "#error no such kernel";
}

char *probe_source(const char *file) {
    fsattn_text text = {0};
    fsattn_text_puts(&text, text_of("prelude"));
    fsattn_text_puts(&text, text_of(file));
    return fsattn_text_take(&text);
}
