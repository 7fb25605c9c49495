#include "code_object.h"
#include "file.h"

#include <criterion/criterion.h>
#include <string.h>

static char *data;
static size_t bytes;

static void load(void) {
    cr_assert_eq(fsattn_file_read(FSATTN_SOURCE_DIR "/tests/data/tiny.gfx950.co", 1 << 20, &data, &bytes, NULL),
                 FSATTN_OK);
}

static void unload(void) {
    fsattn_free(data);
}

TestSuite(code_object, .init = load, .fini = unload);

Test(code_object, says_what_the_compiler_wrote) {
    fsattn_code_object object;
    cr_assert_eq(fsattn_code_object_init(&object, "tiny", data, bytes, "gfx950", NULL), FSATTN_OK);
    cr_assert_str_eq(object.target, "amdgcn-amd-amdhsa--gfx950");
    const fsattn_code_kernel *kernel = fsattn_code_object_kernel(&object, "scale");
    cr_assert_not_null(kernel);
    cr_assert_str_eq(kernel->symbol, "scale.kd");
    cr_assert(kernel->lds_bytes == 256 && kernel->scratch_bytes == 0 && kernel->wavefront == 64);
    cr_assert(kernel->vgprs > 0 && kernel->vgprs < 32 && kernel->vgpr_spills == 0);
    cr_assert(kernel->argument_count >= 4 && kernel->arguments[2].offset == 16 && kernel->arguments[2].bytes == 4);
    cr_assert_str_eq(kernel->arguments[0].kind, "global_buffer");
    cr_assert_str_eq(kernel->arguments[3].kind, "by_value");
    cr_assert(kernel->descriptor_address && kernel->entry_address > kernel->descriptor_address);
    cr_assert_null(fsattn_code_object_kernel(&object, "absent"));
    fsattn_code_object_fini(&object);
}

Test(code_object, another_processor_is_refused_by_name) {
    fsattn_code_object object;
    fsattn_err err;
    cr_assert_eq(fsattn_code_object_init(&object, "tiny", data, bytes, "gfx942", &err), FSATTN_UNSUPPORTED);
    cr_assert_str_eq(err.message, "tiny: code for amdgcn-amd-amdhsa--gfx950, not for gfx942");
    cr_assert_eq(fsattn_code_object_init(&object, "tiny", data, bytes, "gfx95", &err), FSATTN_UNSUPPORTED);
}

Test(code_object, a_bundle_gives_the_entry_asked_for) {
    static const char id[] = "hip-amdgcn-amd-amdhsa--gfx950:xnack-";
    const uint64_t header[] = {1, 24 + 8 + 24 + sizeof id - 1, bytes, sizeof id - 1};
    size_t total = header[1] + bytes;
    char *bundle = fsattn_alloc(total, 1);
    memcpy(bundle, "__CLANG_OFFLOAD_BUNDLE__", 24);
    memcpy(bundle + 24, header, sizeof header);
    memcpy(bundle + 24 + sizeof header, id, sizeof id - 1);
    memcpy(bundle + header[1], data, bytes);
    fsattn_code_object object;
    cr_assert_eq(fsattn_code_object_init(&object, "bundle", bundle, total, "gfx950", NULL), FSATTN_OK);
    cr_assert_eq(object.kernel_count, 1u);
    fsattn_code_object_fini(&object);
    cr_assert_eq(fsattn_code_object_init(&object, "bundle", bundle, total, "gfx942", NULL), FSATTN_UNSUPPORTED);
    cr_assert_eq(fsattn_code_object_init(&object, "bundle", bundle, total - 1, "gfx950", NULL), FSATTN_CORRUPT);
    fsattn_free(bundle);
}

/* Sanitizer builds turn any read outside the bytes into a failure. */
Test(code_object, damage_never_crashes) {
    fsattn_code_object object;
    for (size_t cut = 0; cut < bytes; cut++) {
        char *part = fsattn_alloc(cut ? cut : 1, 1);
        memcpy(part, data, cut);
        if (fsattn_code_object_init(&object, "cut", part, cut, "gfx950", NULL) == FSATTN_OK) {
            fsattn_code_object_fini(&object);
        }
        fsattn_free(part);
    }
    for (size_t at = 0; at < bytes; at++) {
        for (int mask = 1; mask < 256; mask += 127) {
            data[at] ^= (char)mask;
            if (fsattn_code_object_init(&object, "flip", data, bytes, "gfx950", NULL) == FSATTN_OK) {
                fsattn_code_object_fini(&object);
            }
            data[at] ^= (char)mask;
        }
    }
}
