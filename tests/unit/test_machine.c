/* Many may work, one may time, and neither keeps the other out for ever. */
#include "file.h"
#include "machine.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[] = "/tmp/fsattn-test-XXXXXX";
static fsattn_machine machine;

static void open_machine(void) {
    cr_assert_not_null(mkdtemp(home));
    cr_assert_eq(fsattn_machine_init(home, "host", &machine, NULL), FSATTN_OK);
}

static void close_machine(void) {
    fsattn_machine_fini(&machine);
    cr_assert_eq(fsattn_folder_remove(home, NULL), FSATTN_OK);
}

static fsattn_status enter(fsattn_machine_use use, fsattn_machine_turn *turn) {
    return fsattn_machine_enter(&machine, use, turn, NULL);
}

Test(machine, many_work_and_one_times, .init = open_machine, .fini = close_machine) {
    fsattn_machine_turn a = FSATTN_MACHINE_TURN_NONE, b = a, timer = a, c = a;
    cr_expect_eq(enter(FSATTN_MACHINE_WORK, &a), FSATTN_OK);
    cr_expect_eq(enter(FSATTN_MACHINE_WORK, &b), FSATTN_OK);
    cr_expect_not(fsattn_machine_wanted(&machine));
    cr_expect_eq(enter(FSATTN_MACHINE_TIME, &timer), FSATTN_BUSY);
    cr_expect(fsattn_machine_wanted(&machine), "who works is to see that somebody waits");
    cr_expect_eq(enter(FSATTN_MACHINE_WORK, &c), FSATTN_BUSY, "nobody new enters while one waits to time");
    fsattn_machine_leave(&a);
    cr_expect_eq(enter(FSATTN_MACHINE_TIME, &timer), FSATTN_BUSY);
    fsattn_machine_leave(&b);
    cr_expect_eq(enter(FSATTN_MACHINE_TIME, &timer), FSATTN_OK);
    cr_expect_eq(enter(FSATTN_MACHINE_WORK, &c), FSATTN_BUSY, "nobody works while one times");
    cr_expect_eq(enter(FSATTN_MACHINE_TIME, &a), FSATTN_BUSY);
    fsattn_machine_leave(&timer);
    cr_expect_eq(enter(FSATTN_MACHINE_TIME, &timer), FSATTN_BUSY, "one that times again and again lets others in between");
    cr_expect_eq(enter(FSATTN_MACHINE_WORK, &c), FSATTN_OK);
    fsattn_machine_leave(&c);
    fsattn_machine_leave(&a);
}

Test(machine, a_killed_process_holds_nothing, .init = open_machine, .fini = close_machine) {
    const pid_t pid = fork();
    if (pid == 0) {
        fsattn_machine_turn turn = FSATTN_MACHINE_TURN_NONE;
        if (enter(FSATTN_MACHINE_TIME, &turn) == FSATTN_OK) {
            kill(getpid(), SIGKILL);
        }
        _exit(1);
    }
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status));
    fsattn_machine_turn turn = FSATTN_MACHINE_TURN_NONE;
    cr_expect_eq(enter(FSATTN_MACHINE_TIME, &turn), FSATTN_OK);
    fsattn_machine_leave(&turn);
}
