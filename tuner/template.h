/* template.h - renders a template's text for one configuration.
 *
 * The syntax is in docs/design.md: lines that open with % are Lua, $(expression) is replaced by its value, include("file")
 * renders another file in place. Rendering is deterministic: same files, configuration, setting: same bytes. The output opens
 * with a comment that names template, configuration and setting, and contains everything that was included.
 *
 * FSATTN_PARSE: the template is wrong; the message opens with the file (relative to the templates folder) and line,
 * also for errors inside Lua. FSATTN_INVALID: a limit was exceeded. The manifest is only read: rendering does
 * not use its Lua state, so several threads may render from one manifest.
 */
#ifndef FSATTN_TEMPLATE_H
#define FSATTN_TEMPLATE_H

#include "manifest.h"

typedef struct fsattn_template_limits {
    size_t memory_bytes;   /* of Lua */
    size_t output_bytes;
    uint64_t instructions; /* of Lua */
    double time_s;         /* in-process it bounds Lua alone, not one long string operation */
} fsattn_template_limits;

/* 256 MiB, 16 MiB, 2 * 10^9 instructions, 60 s: a rendering takes some hundredths, but a busy machine may withhold them. */
extern const fsattn_template_limits fsattn_template_limits_default;

/* The default, but no longer than `left_ns`. */
fsattn_template_limits fsattn_template_limits_within(int64_t left_ns);

/* Renders in this process. `limits` NULL: the default. Appends nothing unless it succeeds. */
fsattn_status fsattn_template_render(const fsattn_manifest *manifest, const fsattn_setting *setting,
                                     const fsattn_config *config, const fsattn_template_limits *limits,
                                     fsattn_text *output, fsattn_err *err);
/* As fsattn_template_render, in a child process that is killed at the deadline (FSATTN_INVALID). */
fsattn_status fsattn_template_render_child(const fsattn_manifest *manifest, const fsattn_setting *setting,
                                           const fsattn_config *config, const fsattn_template_limits *limits,
                                           fsattn_text *output, fsattn_err *err);
/* Appends what of a rendered text follows its opening comment, of which only the line ends are left, so that a compiler names
 * the lines of the whole. Configurations and settings that mean the same code have equal bytes here. */
void fsattn_template_code(const char *rendered, fsattn_text *code);

#endif
