/* file.h - files, folders and locks.
 *
 * Paths are bytes, never interpreted by a shell. Errors name the path. Thread-safe.
 */
#ifndef FSATTN_FILE_H
#define FSATTN_FILE_H

#include "fsattn.h"

/* Reads a whole regular file of at most `limit` bytes into a new NUL-terminated block (fsattn_free);
 * a larger file is FSATTN_INVALID. */
fsattn_status fsattn_file_read(const char *path, size_t limit, char **data, size_t *bytes, fsattn_err *err);
/* As fsattn_file_read from an open descriptor (offset 0 on); `name` stands in messages. */
fsattn_status fsattn_file_read_fd(int fd, const char *name, size_t limit, char **data, size_t *bytes,
                                  fsattn_err *err);
/* Publishes a file: writes a temporary neighbour, fsyncs it, renames it over `path`, fsyncs the folder.
 * A reader sees the old file or the new one, never a part. `mode` as for chmod. */
fsattn_status fsattn_file_publish(const char *path, const void *data, size_t bytes, unsigned mode,
                                  fsattn_err *err);
/* Whether fsattn_file_publish would succeed now: makes the temporary neighbour, gives it a block of the disk, removes it. The
 * folder must be there. */
fsattn_status fsattn_file_publishable(const char *path, fsattn_err *err);
/* Creates a folder and its parents (mode 0700 for those it makes). */
fsattn_status fsattn_folder_make(const char *path, fsattn_err *err);
/* Removes a folder and everything below it, without following links. */
fsattn_status fsattn_folder_remove(const char *path, fsattn_err *err);
bool fsattn_file_exists(const char *path);
/* Whether the file system of `path`, or of its folder while it is not there, has hardly a byte (1 MiB) or a name left. */
bool fsattn_file_disk_full(const char *path);

/* The rule of trust: `fd` (opened from `path`) is a regular file that belongs to the user or root and that
 * nobody else may write, and so are its folder and all parents (a sticky world-writable folder such as /tmp
 * counts as safe only for what the user or root owns inside it). FSATTN_UNTRUSTED with the offending path otherwise. */
fsattn_status fsattn_file_trust(int fd, const char *path, fsattn_err *err);

/* Name of the network file system with that magic number (statfs, f_type), where locks and shared memory of several machines
 * cannot be relied on; NULL for all others. */
const char *fsattn_file_network(uint32_t magic);
/* FSATTN_UNSUPPORTED with the type named when `path` (or its nearest existing parent) is on a network file system. */
fsattn_status fsattn_file_local(const char *path, fsattn_err *err);

/* The user's folders (XDG): "data", "cache"; new string "<base>/fsattn" in *path. The folder is not created. */
fsattn_status fsattn_folder_user(const char *kind, char **path, fsattn_err *err);
/* Folder of the running program, new string. */
fsattn_status fsattn_folder_program(char **path, fsattn_err *err);

/* An exclusive lock on `path` (created if absent) that the kernel releases when the process ends, however it ends.
 * `wait` false gives FSATTN_BUSY at once when somebody else holds it. *lock is a descriptor for fsattn_lock_close. */
fsattn_status fsattn_lock_open(const char *path, bool wait, int *lock, fsattn_err *err);
void fsattn_lock_close(int lock);

/* A sealed memfd holding a copy of the bytes: nobody can change them afterwards. *fd is the caller's to close. */
fsattn_status fsattn_memfd_sealed(const char *name, const void *data, size_t bytes, int *fd, fsattn_err *err);

#endif
