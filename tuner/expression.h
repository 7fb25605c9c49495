/* expression.h - one Lua expression over the parameters of a template, `problem` and `target`.
 *
 * Compiled once, with the names that it reads known: every name is a parameter, `problem`, `target` or a function of the
 * sandbox, which is checked when compiling, so that the result depends on nothing else. Errors, also those raised while
 * evaluating, open with file, line and column of the expression's text. `function` is refused: formulas only.
 */
#ifndef FSATTN_EXPRESSION_H
#define FSATTN_EXPRESSION_H

#include "sandbox.h"

/* Where an expression's text stands. */
typedef struct fsattn_expression_origin {
    const char *file;
    int line, column; /* of its first byte, from 1 */
    int indent;       /* column of the first byte of its further lines */
} fsattn_expression_origin;

typedef struct fsattn_expression {
    const char *text; /* borrowed, as the origin's file */
    fsattn_expression_origin origin;
    uint64_t reads; /* bit p: the parameter of index p */
    bool reads_problem, reads_target;
    bool bounded; /* it names parameters alone: there is nothing to call, so it ends after as many steps as it has operators */
    bool wordless; /* none of the parameters has words as values */
    int reference; /* of the function, in the sandbox's registry */
} fsattn_expression;

/* `text` and `origin->file` live as long as the expression. FSATTN_PARSE with the place otherwise. */
fsattn_status fsattn_expression_compile(fsattn_sandbox *sandbox, const fsattn_parameter_set *set, const char *text,
                                        const fsattn_expression_origin *origin, fsattn_expression *expression,
                                        fsattn_err *err);
/* Evaluates in the setting that the sandbox is bound to. Words live as long as the sandbox. */
fsattn_status fsattn_expression_value(fsattn_sandbox *sandbox, const fsattn_parameter_set *set,
                                      const fsattn_expression *expression, const fsattn_config *config,
                                      fsattn_value *value, fsattn_err *err);
/* As fsattn_expression_value; anything but true and false is an error. */
fsattn_status fsattn_expression_test(fsattn_sandbox *sandbox, const fsattn_parameter_set *set,
                                     const fsattn_expression *expression, const fsattn_config *config, bool *holds,
                                     fsattn_err *err);
/* Reports a mistake at a byte of the expression; returns FSATTN_PARSE. */
fsattn_status fsattn_expression_fail(const fsattn_expression *expression, size_t offset, fsattn_err *err,
                                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
