/* cache_folder.h - cache files that lie together: all `.fsc` of a folder, in order of name; the folder that is installed with the
 * library (share/fsattn beside lib). What cannot be used there is told and skipped. */
#ifndef FSATTN_CACHE_FOLDER_H
#define FSATTN_CACHE_FOLDER_H

#include "fsattn.h"

/* Adds them below what the context has. FSATTN_NO_MEMORY, or that the folder cannot be read, is the only failure. */
fsattn_status fsattn_cache_folder_add(fsattn_context *context, const char *folder, fsattn_err *err);
/* The installed folder, found from where this library (or the program that holds it) lies; new string, NULL when there is none. */
fsattn_status fsattn_cache_folder_shipped(char **folder, fsattn_err *err);

#endif
