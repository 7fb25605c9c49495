#include "listed.h"

#include "error.h"
#include "memory.h"
#include "shapes.h"

enum { neighbour_limit = 2 * fsattn_fsc_interval_axis_count }; /* on each axis the next below and the next above */

/* One problem of the run. */
typedef struct entry {
    fsattn_search_point *point; /* NULL: not begun, a range, or not needed any more */
    size_t neighbours[neighbour_limit]; /* positions */
    size_t neighbour_count;
    bool settled;
} entry;

struct fsattn_listed {
    fsattn_search_state *s;
    entry *entries; /* by position */
    size_t count;
    size_t done; /* positions below it have been tuned */
    fsattn_shapes compared;
};

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
}

/* ---- neighbours ---- */

static const fsattn_space_problem *problem_at(const fsattn_listed *listed, size_t position) {
    const fsattn_search_options *options = listed->s->options;
    return &options->space->problems[options->problems[position]];
}

/* Whether all that is not a size is equal. */
static bool same_setting(const fsattn_problem *a, const fsattn_problem *b) {
    fsattn_problem moved = *a;
    moved.batch = b->batch;
    moved.heads_q = b->heads_q;
    moved.heads_kv = b->heads_kv;
    moved.s_q = b->s_q;
    moved.s_k = b->s_k;
    return fsattn_problem_equal(&moved, b);
}

/* Finds the next ones below and above on each axis. */
static void find_neighbours(fsattn_listed *listed, size_t position) {
    entry *mine = &listed->entries[position];
    const fsattn_problem *own = &problem_at(listed, position)->problem;
    const fsattn_fsc_sizes sizes = fsattn_fsc_sizes_of(own);
    size_t nearest[neighbour_limit];
    int64_t at[neighbour_limit];
    for (size_t i = 0; i < neighbour_limit; i++) {
        nearest[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < listed->count; i++) {
        const fsattn_space_problem *other = problem_at(listed, i);
        const fsattn_fsc_sizes others = fsattn_fsc_sizes_of(&other->problem);
        fsattn_fsc_interval_axis axis;
        int64_t from, to;
        if (other->range || !fsattn_fsc_interval_axis_between(&sizes, &others, &axis, &from, &to) || !same_setting(own, &other->problem)) {
            continue;
        }
        const size_t place = 2 * (size_t)axis + (to > from);
        if (nearest[place] == SIZE_MAX || (to > from ? to < at[place] : to > at[place])) {
            nearest[place] = i;
            at[place] = to;
        }
    }
    for (size_t i = 0; i < neighbour_limit; i++) {
        if (nearest[i] != SIZE_MAX) {
            mine->neighbours[mine->neighbour_count++] = nearest[i];
        }
    }
}

/* ---- trying ---- */

/* Tries what is as fast at one problem, if there are several, at another one. */
static fsattn_status hand_over(const entry *from, entry *to, int64_t end_ns, fsattn_err *err) {
    fsattn_config configs[fsattn_shapes_carried_limit];
    const size_t count = fsattn_shapes_good(from->point, 0, 2, configs);
    return count ? fsattn_search_point_retry(to->point, configs, count, end_ns, err) : FSATTN_OK;
}

static fsattn_status exchange(fsattn_listed *listed, entry *mine, int64_t end_ns, fsattn_err *err) {
    for (size_t i = 0; i < mine->neighbour_count; i++) {
        entry *other = &listed->entries[mine->neighbours[i]];
        if (other->point && other != mine) {
            FSATTN_TRY(hand_over(mine, other, end_ns, err));
            FSATTN_TRY(hand_over(other, mine, end_ns, err));
        }
    }
    return FSATTN_OK;
}

/* ---- settling ---- */

/* Of those of a part that are as fast the most robust one wins it. What serves an interval was chosen from more shapes than these. */
static fsattn_status choose(fsattn_listed *listed, const entry *mine, size_t part, fsattn_err *err) {
    fsattn_shapes *compared = &listed->compared;
    const fsattn_candidate *winner = fsattn_shapes_leader(mine->point, part);
    size_t rows = 0;
    if (!winner || winner->interval) {
        return FSATTN_OK;
    }
    compared->part = part;
    compared->points[rows++] = mine->point;
    for (size_t i = 0; i < mine->neighbour_count; i++) {
        fsattn_search_point *point = listed->entries[mine->neighbours[i]].point;
        if (point && fsattn_shapes_leader(point, part)) {
            compared->points[rows++] = point;
        }
    }
    compared->table.shapes = rows;
    fsattn_shapes_tabulate(compared);
    const size_t column = rows > 1 ? fsattn_interval_robust(&compared->table, 0) : SIZE_MAX;
    const bool other = fsattn_shapes_serves(compared, 0, column) && !fsattn_config_equal(&compared->columns[column].config, &winner->config);
    return other ? fsattn_shapes_serve(compared, 0, column, NULL, err) : FSATTN_OK;
}

/* Whether all neighbours of it have been tuned, and (of `settled`) been settled. */
static bool neighbours_done(const fsattn_listed *listed, const entry *mine, bool settled) {
    for (size_t i = 0; i < mine->neighbour_count; i++) {
        if (mine->neighbours[i] >= listed->done || (settled && !listed->entries[mine->neighbours[i]].settled)) {
            return false;
        }
    }
    return true;
}

static void release(entry *mine) {
    if (mine->point) {
        fsattn_search_point_release(mine->point);
        fsattn_free(mine->point);
        mine->point = NULL;
    }
}

/* Settles and tells what can be, or all; releases what nobody needs any more. */
static fsattn_status settle(fsattn_listed *listed, bool all, bool choosing, fsattn_err *err) {
    for (size_t i = 0; i < listed->done; i++) {
        entry *mine = &listed->entries[i];
        if (mine->point && !mine->settled && (all || neighbours_done(listed, mine, false))) {
            for (size_t part = 0; choosing && part < mine->point->hunt.part_count; part++) {
                FSATTN_TRY(choose(listed, mine, part, err));
            }
            FSATTN_TRY(fsattn_search_point_tell(mine->point, err));
            mine->settled = true;
        }
    }
    for (size_t i = 0; i < listed->done; i++) {
        entry *mine = &listed->entries[i];
        if (mine->settled && neighbours_done(listed, mine, true)) {
            release(mine);
        }
    }
    return FSATTN_OK;
}

/* ---- all of it ---- */

fsattn_status fsattn_listed_create(fsattn_search_state *s, fsattn_listed **listed, fsattn_err *err) {
    fsattn_listed *made = fsattn_alloc(1, sizeof *made);
    const size_t count = s->options->problem_count;
    entry *entries = fsattn_alloc(count ? count : 1, sizeof *entries);
    if (!made || !entries) {
        fsattn_free(made);
        fsattn_free(entries);
        return no_memory(err);
    }
    *made = (fsattn_listed){.s = s, .entries = entries, .count = count};
    *listed = made;
    return FSATTN_OK;
}

fsattn_status fsattn_listed_tune(fsattn_listed *listed, const fsattn_search_share *share, fsattn_err *err) {
    entry *mine = &listed->entries[share->position];
    mine->point = fsattn_alloc(1, sizeof *mine->point);
    if (!mine->point) {
        return no_memory(err);
    }
    find_neighbours(listed, share->position);
    FSATTN_TRY(fsattn_search_point_begin(listed->s, problem_at(listed, share->position), mine->point, err));
    FSATTN_TRY(fsattn_search_point_hunt(mine->point, share, NULL, 0, err));
    listed->done = share->position + 1;
    if (!mine->point->result->valid) { /* nothing will come of it, and why is known of the last enumeration alone */
        mine->settled = true;
        FSATTN_TRY(fsattn_search_point_tell(mine->point, err));
    }
    FSATTN_TRY(exchange(listed, mine, share->all_ns, err));
    return settle(listed, false, true, err);
}

fsattn_status fsattn_listed_finish(fsattn_listed *listed, bool choosing, fsattn_err *err) {
    return settle(listed, true, choosing, err);
}

void fsattn_listed_destroy(fsattn_listed *listed) {
    if (listed) {
        for (size_t i = 0; i < listed->count; i++) {
            release(&listed->entries[i]);
        }
        fsattn_free(listed->entries);
        fsattn_free(listed);
    }
}
