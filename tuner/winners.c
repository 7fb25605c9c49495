#include "winners.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times of different moments and workers differ by as much although nothing is different. */
static const double search_noise = 0.03;
/* Share of the error that makes a slower configuration worth having. */
static const double error_step = 0.5;

/* ---- finalists ---- */

typedef struct ranked {
    double score;
    fsattn_candidate *candidate;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score ? -1 : 1)
                                : fsattn_hash_compare(&x->candidate->identity, &y->candidate->identity);
}

static bool within_noise(const ranked *best, const ranked *other, bool exact) {
    double spread = hypot(best->candidate->search.mad_ns, other->candidate->search.mad_ns);
    return other->score - best->score <= (exact ? 0 : fmax(search_noise * best->score, spread));
}

static void add_finalist(fsattn_candidate *candidate, fsattn_candidate **finalists, size_t limit,
                         size_t *count) {
    for (size_t i = 0; i < *count; i++) {
        if (finalists[i] == candidate) {
            return;
        }
    }
    if (*count < limit) {
        finalists[(*count)++] = candidate;
    }
}

/* The fastest of each tier of those than which nothing faster is as accurate: its place in `order`, SIZE_MAX when there is none. */
static void find_leaders(const ranked *order, size_t count, size_t leaders[fsattn_space_tier_limit]) {
    double error = INFINITY;
    for (size_t i = 0; i < fsattn_space_tier_limit; i++) {
        leaders[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        const fsattn_candidate *candidate = order[i].candidate;
        if (leaders[candidate->part] == SIZE_MAX && (i == 0 || !(candidate->error >= error))) {
            leaders[candidate->part] = i;
        }
        error = fmin(error, candidate->error);
    }
}

/* `order` is sorted. */
static void pick(const ranked *order, size_t count, bool exact, fsattn_candidate **finalists, size_t limit, size_t *chosen) {
    size_t leaders[fsattn_space_tier_limit];
    find_leaders(order, count, leaders);
    for (size_t i = 0; i < count; i++) {
        if (leaders[order[i].candidate->part] == i) {
            add_finalist(order[i].candidate, finalists, limit, chosen);
        }
    }
    /* A quarter of the places is kept for accuracy. */
    for (size_t i = 0; i < count; i++) {
        const size_t leader = leaders[order[i].candidate->part];
        if (leader != SIZE_MAX && within_noise(&order[leader], &order[i], exact)) {
            add_finalist(order[i].candidate, finalists, limit - limit / 4, chosen);
        }
    }
    double error = count ? order[0].candidate->error : NAN;
    for (size_t i = 1; i < count; i++) {
        if (order[i].candidate->error <= error_step * error) {
            add_finalist(order[i].candidate, finalists, limit, chosen);
            error = order[i].candidate->error;
        }
    }
}

fsattn_status fsattn_winners_finalists(fsattn_candidate *const *candidates, size_t count, double reference_ns, bool exact,
                                       fsattn_candidate **finalists, size_t limit, size_t *finalist_count,
                                       fsattn_err *err) {
    ranked *order = fsattn_alloc(count, sizeof *order);
    if (!order) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "finalists: out of memory");
    }
    size_t ranked_count = 0, chosen = 0;
    for (size_t i = 0; i < count; i++) {
        fsattn_candidate *candidate = candidates[i];
        if (candidate->is_default && candidate->verdict == FSATTN_VERDICT_OK && candidate->search.count) {
            add_finalist(candidate, finalists, limit, &chosen);
        }
        if (fsattn_candidate_ranked(candidate)) {
            order[ranked_count++] = (ranked){fsattn_candidate_score(candidate, reference_ns), candidate};
        }
    }
    qsort(order, ranked_count, sizeof *order, compare_ranked);
    pick(order, ranked_count, exact, finalists, limit, &chosen);
    fsattn_free(order);
    *finalist_count = chosen;
    return FSATTN_OK;
}

/* ---- resolving a shoot-out ---- */

static bool eligible(const fsattn_contender *contender) {
    return !contender->out && contender->candidate->accurate;
}

static const fsattn_contender *default_of(const fsattn_shootout *shootout) {
    for (size_t i = 0; i < shootout->count; i++) {
        if (shootout->contenders[i].candidate->is_default && !shootout->contenders[i].out) {
            return &shootout->contenders[i];
        }
    }
    return NULL;
}

static bool beats(const fsattn_contender *contender, const fsattn_contender *base, size_t rounds) {
    if (!base || !base->candidate->accurate) {
        return true;
    }
    const fsattn_candidate *candidate = contender->candidate;
    return fsattn_shootout_compare(contender, base, rounds) < 0 || candidate->error <= error_step * base->candidate->error ||
           (candidate->part != base->candidate->part && candidate->error < base->candidate->error);
}

/* The fastest of all, or of one part of the space. */
static size_t fastest_of(const fsattn_shootout *shootout, bool of_all, size_t part) {
    size_t fastest = SIZE_MAX;
    for (size_t i = 0; i < shootout->count; i++) {
        const fsattn_contender *contender = &shootout->contenders[i];
        if (!eligible(contender) || (!of_all && contender->candidate->part != part)) {
            continue;
        }
        ranked mine = {contender->level_ns, contender->candidate};
        if (fastest == SIZE_MAX ||
            compare_ranked(&mine, &(ranked){shootout->contenders[fastest].level_ns,
                                            shootout->contenders[fastest].candidate}) < 0) {
            fastest = i;
        }
    }
    return fastest;
}

bool fsattn_winners_beside(const fsattn_candidate *tied, const fsattn_candidate *winner) {
    return tied->error <= error_step * winner->error || (tied->part != winner->part && tied->error < winner->error);
}

/* Of those of a part that are as fast as its fastest the default, else the smallest identity of those that are published; SIZE_MAX: there is none. */
static size_t leader_of(const fsattn_shootout *shootout, const bool *tied, const fsattn_candidate_verdict *verdicts) {
    const fsattn_contender *all = shootout->contenders;
    size_t leader = SIZE_MAX;
    for (size_t i = 0; i < shootout->count; i++) {
        if (tied[i] && all[i].candidate->is_default) {
            return i;
        }
        if (tied[i] && verdicts[i].beats_default &&
            (leader == SIZE_MAX || fsattn_hash_compare(&all[i].candidate->identity, &all[leader].candidate->identity) < 0)) {
            leader = i;
        }
    }
    return leader;
}

/* In each tier but the winner's one of those that are as fast as its fastest wins it, and the others give way to that. */
static void resolve_tiers(const fsattn_shootout *shootout, size_t winner, fsattn_candidate_verdict *verdicts) {
    const fsattn_contender *all = shootout->contenders;
    for (size_t part = 0; winner != SIZE_MAX && part < fsattn_space_tier_limit; part++) {
        const size_t fastest = part == all[winner].candidate->part ? SIZE_MAX : fastest_of(shootout, false, part);
        bool tied[fsattn_contender_limit] = {false};
        for (size_t i = 0; i < shootout->count && fastest != SIZE_MAX; i++) {
            tied[i] = all[i].candidate->part == part && eligible(&all[i]) && fsattn_shootout_compare(&all[i], &all[fastest], shootout->rounds) == 0;
        }
        const size_t leader = leader_of(shootout, tied, verdicts);
        for (size_t i = 0; i < shootout->count && leader != SIZE_MAX; i++) {
            if (tied[i] && i != leader) {
                verdicts[i].tied_with = all[leader].candidate;
                verdicts[i].beats_default = verdicts[i].beats_default && fsattn_winners_beside(all[i].candidate, all[leader].candidate);
            }
        }
    }
}

size_t fsattn_winners_resolve(const fsattn_shootout *shootout, fsattn_candidate_verdict *verdicts) {
    const fsattn_contender *base = default_of(shootout), *all = shootout->contenders;
    size_t fastest = fastest_of(shootout, true, 0), winner = fastest, rounds = shootout->rounds;
    bool tied[fsattn_contender_limit] = {false};
    for (size_t i = 0; i < shootout->count && fastest != SIZE_MAX; i++) {
        tied[i] = eligible(&all[i]) &&
                  (i == fastest || fsattn_shootout_compare(&all[i], &all[fastest], rounds) == 0);
    }
    for (size_t i = 0; i < shootout->count; i++) {
        const fsattn_contender *contender = &all[i];
        verdicts[i] = (fsattn_candidate_verdict){.confirmed = true,
                                                 .rounds = rounds,
                                                 .final = contender->statistics,
                                                 .default_ns = base ? base->statistics.median_ns : 0,
                                                 .default_spread_ns = base ? base->statistics.spread_ns : 0,
                                                 .times_ns = contender->times_ns,
                                                 .count = contender->time_count};
        verdicts[i].beats_default =
            eligible(contender) && !contender->candidate->is_default && beats(contender, base, rounds);
        if (!tied[i] || contender->candidate->is_default) {
            continue;
        }
        /* Among the tied the smallest identity, provided that it beats the default as the fastest does. */
        bool may_win =
            !base || !base->candidate->accurate || fsattn_shootout_compare(contender, base, rounds) < 0;
        if (may_win &&
            fsattn_hash_compare(&contender->candidate->identity, &all[winner].candidate->identity) < 0) {
            winner = i;
        }
    }
    if (base && base->candidate->accurate && fastest != SIZE_MAX &&
        (tied[base - all] || fsattn_shootout_compare(&all[winner], base, rounds) >= 0)) {
        winner = (size_t)(base - all);
    }
    for (size_t i = 0; i < shootout->count; i++) {
        verdicts[i].won = i == winner;
        if (tied[i] && i != winner) {
            verdicts[i].tied_with = all[i].candidate->part == all[winner].candidate->part ? all[winner].candidate : NULL;
            verdicts[i].beats_default = verdicts[i].beats_default && fsattn_winners_beside(all[i].candidate, all[winner].candidate);
        }
    }
    resolve_tiers(shootout, winner, verdicts);
    return winner;
}

/* ---- deciding ---- */

static bool all_confirmed(fsattn_candidate *const *finalists, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!finalists[i]->confirmed) {
            return false;
        }
    }
    return count > 0;
}

static fsattn_status report_finalist(const fsattn_session *session, const fsattn_candidate *candidate,
                                     size_t rounds, fsattn_err *err) {
    fsattn_text configuration = {0};
    fsattn_config_text(&session->space->manifest->parameters, &candidate->config, &configuration);
    fsattn_notice notice = {.kind = FSATTN_NOTICE_FINALIST,
                            .finalist = {.problem = session->problem_text,
                                         .configuration = configuration.data,
                                         .statistics = &candidate->final,
                                         .rounds = rounds,
                                         .is_default = candidate->is_default,
                                         .beats_default = candidate->beats_default,
                                         .tied = candidate->tied}};
    bool failed = configuration.failed;
    if (!failed) {
        fsattn_session_emit(session, &notice);
    }
    fsattn_text_fini(&configuration);
    return failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "shoot-out: out of memory") : FSATTN_OK;
}

/* Results of earlier shoot-outs that are no finalists any more would compete with times of another moment. */
static fsattn_status withdraw_others(const fsattn_session *session, fsattn_candidate *const *candidates,
                                     size_t count, fsattn_candidate *const *finalists, size_t finalist_count,
                                     fsattn_err *err) {
    for (size_t i = 0; i < count; i++) {
        bool contends = false;
        for (size_t j = 0; j < finalist_count; j++) {
            contends = contends || finalists[j] == candidates[i];
        }
        if (!contends && candidates[i]->confirmed) {
            FSATTN_TRY(fsattn_candidate_confirm(session, &(fsattn_candidate_verdict){0}, candidates[i], err));
        }
    }
    return FSATTN_OK;
}

/* What was stored under another accuracy floor is stored again under this one, and its shoot-out counts no more. */
static fsattn_status refresh_floor(const fsattn_session *session, fsattn_candidate *const *candidates,
                                   size_t count, fsattn_err *err) {
    for (size_t i = 0; i < count; i++) {
        if (candidates[i]->floor_stale) {
            FSATTN_TRY(fsattn_candidate_confirm(session, &(fsattn_candidate_verdict){0}, candidates[i], err));
        }
    }
    return FSATTN_OK;
}

/* The default goes last: until it is stored, the finalists are not all confirmed and the next run repeats the shoot-out. */
static fsattn_status store_shootout(const fsattn_session *session, fsattn_candidate *const *candidates,
                                    size_t count, const fsattn_shootout *shootout, fsattn_err *err) {
    fsattn_candidate_verdict verdicts[fsattn_contender_limit];
    fsattn_winners_resolve(shootout, verdicts);
    fsattn_candidate *contending[fsattn_contender_limit];
    for (size_t i = 0; i < shootout->count; i++) {
        contending[i] = shootout->contenders[i].candidate;
    }
    FSATTN_TRY(withdraw_others(session, candidates, count, contending, shootout->count, err));
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < shootout->count; i++) {
            fsattn_candidate *candidate = shootout->contenders[i].candidate;
            if (candidate->is_default == (turn == 1) && candidate->verdict == FSATTN_VERDICT_OK) {
                FSATTN_TRY(fsattn_candidate_confirm(session, &verdicts[i], candidate, err));
                FSATTN_TRY(report_finalist(session, candidate, shootout->rounds, err));
            }
        }
    }
    return FSATTN_OK;
}

static void choose_confirmed(fsattn_candidate *const *finalists, size_t count, fsattn_winners *winners) {
    for (size_t i = 0; i < count; i++) {
        fsattn_candidate *candidate = finalists[i];
        if (!candidate->confirmed || candidate->final.count == 0) {
            continue;
        }
        winners->default_ns = candidate->is_default ? candidate->final.median_ns : winners->default_ns;
        if (candidate->accurate && candidate->won) {
            winners->winner = candidate;
            winners->statistics = candidate->final;
            winners->confirmed = true;
        }
    }
    for (size_t i = 0; i < count && winners->winner; i++) {
        winners->tied += finalists[i]->confirmed && finalists[i]->tied && finalists[i]->part == winners->winner->part;
    }
}

/* Without a shoot-out the default stays; without a default the best of the search. What is not wholly verified is no winner. */
static void choose_unconfirmed(fsattn_candidate *const *candidates, size_t count, double reference_ns,
                               fsattn_winners *winners) {
    double best = INFINITY;
    for (size_t i = 0; i < count; i++) {
        fsattn_candidate *candidate = candidates[i];
        winners->default_ns = candidate->is_default ? candidate->search.median_ns : winners->default_ns;
        if (!fsattn_candidate_ranked(candidate) || candidate->partial) {
            continue;
        }
        double score = candidate->is_default ? -1 : fsattn_candidate_score(candidate, reference_ns);
        if (score < best) {
            best = score;
            winners->winner = candidate;
            winners->statistics = candidate->search;
        }
    }
}

/* A single finalist has nobody to shoot against: what the search measured stands. */
static fsattn_status confirm_alone(const fsattn_session *session, fsattn_candidate *candidate,
                                   fsattn_err *err) {
    fsattn_candidate_verdict verdict = {.confirmed = true,
                                        .won = candidate->accurate,
                                        .beats_default = !candidate->is_default && candidate->accurate,
                                        .final = candidate->search,
                                        .default_ns = candidate->is_default ? candidate->search.median_ns : 0,
                                        .default_spread_ns =
                                            candidate->is_default ? candidate->search.spread_ns : 0};
    return fsattn_candidate_confirm(session, &verdict, candidate, err);
}

/* *again: it came to an end, so that others may be finalists now. Where some were left out for lack of time there is time again only if
 * others failed. */
static fsattn_status hold_shootout(const fsattn_session *session, fsattn_candidate *const *candidates, size_t count,
                                   fsattn_candidate *const *finalists, fsattn_winners *result, int64_t deadline_ns, bool *again,
                                   fsattn_err *err) {
    fsattn_shootout shootout;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_shootout_run(session, finalists, result->finalists, deadline_ns, &shootout, err));
    *again = shootout.complete && (shootout.failed || shootout.count == result->finalists);
    if (shootout.complete) {
        result->rounds = shootout.rounds;
        status = store_shootout(session, candidates, count, &shootout, err);
    }
    fsattn_shootout_fini(&shootout);
    return status;
}

fsattn_status fsattn_winners_decide(const fsattn_session *session, fsattn_candidate *const *candidates,
                                    size_t count, double reference_ns, int64_t deadline_ns,
                                    fsattn_winners *winners, fsattn_err *err) {
    fsattn_winners result = {0};
    fsattn_candidate *finalists[fsattn_contender_limit];
    FSATTN_TRY(refresh_floor(session, candidates, count, err));
    bool again = true;
    /* A finalist that fails, or turns out to be less accurate than something faster, makes room for the next best. That ends: each time
     * one that was not has failed or is proven, or all are confirmed. */
    while (again) {
        again = false;
        result.finalists = 0;
        FSATTN_TRY(fsattn_winners_finalists(candidates, count, reference_ns, session->policy.exact, finalists, fsattn_contender_limit,
                                            &result.finalists, err));
        if (all_confirmed(finalists, result.finalists) || fsattn_session_stopped(session)) {
            break;
        }
        if (result.finalists == 1 && !finalists[0]->partial) {
            FSATTN_TRY(withdraw_others(session, candidates, count, finalists, 1, err));
            FSATTN_TRY(confirm_alone(session, finalists[0], err));
        } else if (result.finalists) {
            FSATTN_TRY(hold_shootout(session, candidates, count, finalists, &result, deadline_ns, &again, err));
        }
    }
    if (all_confirmed(finalists, result.finalists) || result.rounds) {
        choose_confirmed(finalists, result.finalists, &result);
    }
    if (!result.winner) {
        choose_unconfirmed(candidates, count, reference_ns, &result);
    }
    *winners = result;
    return FSATTN_OK;
}
