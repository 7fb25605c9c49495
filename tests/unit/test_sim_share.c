/* Workgroups of one launch that meet in device memory (tests/data/sim/share.hip): races are found and both workgroups named, however
 * many threads run them; what atomics and fences order is not complained about. */
#include "../support/sim_device.h"

enum { threads = 64, blocks = 6, words = threads * blocks };

typedef struct memory {
    void *a, *b, *flags;
} memory;

static memory fresh(sim_device *d) {
    static uint32_t values[words];
    for (uint32_t i = 0; i < words; i++) {
        values[i] = 1000 + i;
    }
    const memory m = {sim_device_put(d, values, sizeof values), sim_device_put(d, values, sizeof values), NULL};
    memset(values, 0, sizeof values);
    return (memory){m.a, m.b, sim_device_put(d, values, sizeof values)};
}
static void release(sim_device *d, const memory *m) {
    fsattn_device_release(d->device, m->a);
    fsattn_device_release(d->device, m->b);
    fsattn_device_release(d->device, m->flags);
}

static void check_races(sim_device *d) {
    static const struct {
        const char *entry, *touch, *other; /* NULL: which of them is first depends on the threads */
    } races[] = {
        {"both_write", "race in device memory: writes offset ", " has written in the same launch"},
        {"reads_what_another_wrote", "race in device memory: ", NULL},
        {"writes_what_another_read", "race in device memory: ", NULL},
        {"same_byte", "race in device memory: writes offset ", " has written in the same launch"},
        {"byte_of_a_word", "race in device memory: writes offset ", " has written in the same launch"},
        {"last_block_unfenced", "race in device memory: reads offset ", " has written in the same launch"},
    };
    for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
        fsattn_err err = {0};
        const memory m = fresh(d);
        cr_expect_eq(sim_device_try(d, races[i].entry, blocks, threads, &m, sizeof m, &err), FSATTN_DEVICE, "%s: not found", races[i].entry);
        const char *place = strstr(err.message, "(hipMalloc), which workgroup (");
        cr_expect(strstr(err.message, races[i].touch) && strstr(err.message, races[i].entry) && strstr(err.message, "pc 0x") &&
                      strstr(err.message, "lane "), "%s: '%s'", races[i].entry, err.message);
        cr_expect(place && strstr(err.message, ", workgroup (") < place, "%s: both are not named: '%s'", races[i].entry, err.message);
        cr_expect(!races[i].other || strstr(err.message, races[i].other), "%s: '%s'", races[i].entry, err.message);
        release(d, &m);
        /* One workgroup alone races with nobody. */
        const memory alone = fresh(d);
        cr_expect_eq(sim_device_try(d, races[i].entry, 1, threads, &alone, sizeof alone, &err), FSATTN_OK, "%s: %s", races[i].entry, err.message);
        release(d, &alone);
    }
    fsattn_err err = {0};
    memory m = fresh(d);
    void *const own = m.b;
    m.b = m.a; /* b[0] is what the first workgroup writes */
    cr_expect_eq(sim_device_try(d, "scalar_read", blocks, threads, &m, sizeof m, &err), FSATTN_DEVICE);
    cr_expect(strstr(err.message, "race in device memory"), "%s", err.message);
    m.b = own;
    cr_expect_eq(sim_device_try(d, "scalar_read", blocks, threads, &m, sizeof m, &err), FSATTN_OK, "b[0] stays what it is: %s", err.message);
    release(d, &m);
}

/* What they compute, where it does not depend on the order. */
static uint32_t expected_a(const char *entry, uint32_t i) {
    uint32_t value = 1000 + i;
    if (!strcmp(entry, "last_block_fenced")) {
        return i % threads + 1;
    }
    if (!strcmp(entry, "own_slices")) {
        return 2 * (value + 1000 + i % threads);
    }
    if (!strcmp(entry, "same_value")) {
        return i < threads ? 1 : value;
    }
    if (!strcmp(entry, "atomics")) {
        return i < threads ? value + blocks * (blocks - 1) / 2 : value;
    }
    if (!strcmp(entry, "locked")) {
        return i ? value : value + blocks * (blocks - 1) / 2;
    }
    if (!strcmp(entry, "volatile_flags")) {
        return i < blocks ? i + 1 : i >= threads && i < threads + blocks ? (i - threads + 1) * (i - threads + 2) / 2 : value;
    }
    for (uint32_t k = 0; k < blocks && i < threads && !strcmp(entry, "chain"); k++) {
        value = value * 3 + k + 1000 + i;
    }
    return value;
}

static void check_ordered(sim_device *d) {
    static const char *const entries[] = {"last_block_fenced", "own_slices", "bytes_apart", "same_value", "atomics", "chain", "locked", "volatile_flags"};
    static uint32_t a[words];
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const memory m = fresh(d);
        sim_device_run(d, entries[i], strcmp(entries[i], "bytes_apart") ? blocks : 4, threads, m);
        sim_device_get(d, a, m.a, sizeof a);
        for (uint32_t k = 0; k < words && strcmp(entries[i], "bytes_apart"); k++) {
            /* The last block of last_block_fenced is any. */
            cr_expect(a[k] == expected_a(entries[i], k) || (!i && a[k] == blocks * (k % threads + 1)), "%s: %u is %u", entries[i], k, a[k]);
        }
        release(d, &m);
    }
}

static void check_all(sim_device d) {
    check_races(&d);
    check_ordered(&d);
    sim_device_close(&d);
}
static void with_threads(const char *count) {
    setenv("FSATTN_SIM_THREADS", count, 1);
    check_all(sim_device_stored("share"));
}
Test(sim_share, races_between_workgroups_are_found_in_turn) { with_threads("1"); }
Test(sim_share, races_between_workgroups_are_found_at_once) { with_threads("4"); }
Test(sim_share, compiled_kernels) { check_all(sim_device_compiled("share")); }

/* A later launch may touch what an earlier one did; without checks nothing is said. */
Test(sim_share, launches_are_looked_at_by_themselves_and_only_with_checks) {
    sim_device d = sim_device_stored("share");
    const memory m = fresh(&d);
    for (int i = 0; i < 3; i++) {
        sim_device_run(&d, "own_slices", blocks, threads, m);
        sim_device_run(&d, "chain", 1, threads, ((memory){m.a, m.b, (char *)m.flags + 4 * (i + 1)}));
    }
    setenv("FSATTN_SIM_CHECK", "0", 1);
    sim_device_run(&d, "both_write", blocks, threads, m);
    release(&d, &m);
    sim_device_close(&d);
}

/* More segments than the first chunk of them has. */
Test(sim_share, many_workgroups) {
    enum { many = 1000 };
    static uint32_t values[many * threads];
    sim_device d = sim_device_stored("share");
    fsattn_err err = {0};
    const memory m = {sim_device_put(&d, values, sizeof values), sim_device_put(&d, values, sizeof values), sim_device_put(&d, values, sizeof(uint32_t))};
    sim_device_run(&d, "last_block_fenced", many, threads, m);
    sim_device_get(&d, values, m.b, sizeof values);
    for (uint32_t i = 0; i < threads; i++) {
        cr_assert_eq(values[i], many * (i + 1), "%u", i);
    }
    memset(values, 0, sizeof values);
    cr_assert_eq(fsattn_device_copy(d.device, m.flags, values, sizeof(uint32_t), NULL, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_device_copy(d.device, m.a, values, sizeof values, NULL, NULL), FSATTN_OK);
    cr_assert_eq(sim_device_try(&d, "last_block_unfenced", many, threads, &m, sizeof m, &err), FSATTN_DEVICE);
    cr_assert_not_null(strstr(err.message, "race in device memory: reads offset "), "%s", err.message);
    release(&d, &m);
    sim_device_close(&d);
}
