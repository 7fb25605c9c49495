#include "machine.h"

#include "error.h"
#include "memory.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

fsattn_status fsattn_machine_init(const char *folder, const char *device, fsattn_machine *machine, fsattn_err *err) {
    fsattn_text gate = {0}, room = {0};
    fsattn_text_printf(&gate, "%s/device-%s.gate", folder, device);
    fsattn_text_printf(&room, "%s/device-%s.lock", folder, device);
    fsattn_machine m = {.gate = fsattn_text_take(&gate), .room = fsattn_text_take(&room)};
    if (!m.gate || !m.room) {
        fsattn_machine_fini(&m);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the machine's lock");
    }
    *machine = m;
    return FSATTN_OK;
}

void fsattn_machine_fini(fsattn_machine *machine) {
    fsattn_free(machine->gate);
    fsattn_free(machine->room);
    *machine = (fsattn_machine){0};
}

static fsattn_status lock(const char *path, int how, int *lock_fd, fsattn_err *err) {
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "%s: cannot open the lock", path);
    }
    if (flock(fd, how | LOCK_NB) != 0) {
        const int error = errno;
        close(fd);
        if (error == EWOULDBLOCK || error == EINTR) {
            return fsattn_fail(err, FSATTN_BUSY, "%s: another process holds the lock", path);
        }
        return fsattn_fail_errno(err, error, "%s: cannot lock", path);
    }
    *lock_fd = fd;
    return FSATTN_OK;
}

fsattn_status fsattn_machine_enter(const fsattn_machine *machine, fsattn_machine_use use, fsattn_machine_turn *turn,
                                   fsattn_err *err) {
    if (turn->room >= 0) {
        return FSATTN_OK;
    }
    if (turn->gate < 0) {
        FSATTN_TRY(lock(machine->gate, LOCK_EX, &turn->gate, err));
    }
    FSATTN_TRY(lock(machine->room, use == FSATTN_MACHINE_TIME ? LOCK_EX : LOCK_SH, &turn->room, err));
    close(turn->gate);
    turn->gate = -1;
    return FSATTN_OK;
}

void fsattn_machine_leave(fsattn_machine_turn *turn) {
    if (turn->room >= 0) {
        close(turn->room);
    }
    if (turn->gate >= 0) {
        close(turn->gate);
    }
    *turn = FSATTN_MACHINE_TURN_NONE;
}

bool fsattn_machine_wanted(const fsattn_machine *machine) {
    int gate = -1;
    if (lock(machine->gate, LOCK_SH, &gate, NULL) == FSATTN_BUSY) { /* shared: those who only look do not see each other */
        return true;
    }
    if (gate >= 0) {
        close(gate);
    }
    return false;
}
