/* template_parse.h - from a template's text to the Lua program that emits it. Internal to template.c.
 *
 * Line n of the program does what line n of the template says, so that Lua's own messages name the right line.
 */
#ifndef FSATTN_TEMPLATE_PARSE_H
#define FSATTN_TEMPLATE_PARSE_H

#include "sandbox.h"
#include "text.h"

/* The program is a chunk whose two arguments are functions: emit a string, emit the text of a value. `name` stands in
 * messages: "attention_host/kernel.c.in:12:7: cause". */
fsattn_status fsattn_template_parse(fsattn_sandbox *sandbox, const char *name, const char *text, size_t bytes,
                                    fsattn_text *program, fsattn_err *err);

#endif
