/* accuracy.h - demands on accuracy as a search uses them: checked, and a named format turned into its figures. */
#ifndef FSATTN_ACCURACY_H
#define FSATTN_ACCURACY_H

#include "fsattn.h"

/* A checked copy of a caller's demand (NULL: none) whose maximum_relative_error is the stricter of what is said and what the
 * format's name says. FSATTN_INVALID, FSATTN_UNSUPPORTED for a struct of another version. */
fsattn_status fsattn_accuracy_resolve(const fsattn_accuracy *wanted, fsattn_accuracy *resolved, fsattn_err *err);

#endif
