/* Algorithm 1's frozen maximum and its rollback: overshoots up to 900 doublings, each with companions one, two and three
 * doublings below it, so that a rescale by a wrong power of two shows. */
#include "../support/placed_scores.h"

static const float overshoots[] = {5.3f, 31.3f, 33.3f, 97.3f, 129.5f, 200.3f, 400.3f, 900.3f};
enum { overshoot_count = sizeof overshoots / sizeof *overshoots };

/* What an error can come from: the exponential (at most 4 %) and P's format (at most 6 % of a probability), against at least
 * 30 % when one of the companions has twice or half its weight. */
static const struct {
    const char *method, *switches;
    double bound;
} emulations[] = {
    {"mxfp8", "reduction=u16", 0.08},
    {"mxfp6", "reduction=u16", 0.08},
    {"mxfp6", "reduction=fp32", 0.08},
    {"mxfp4", "reduction=u16", 0.08},
    {"mxfp6", "reduction=u16 key_order=bit2", 0.08},
    {"mxfp4", "reduction=fp32 key_order=bits23", 0.08},
    {"mxfp8", "reduction=fp32 p_format=mxfp8", 0.08},
    {NULL, "softmax=frozen cap=32 exponential=schraudolph_u32 row_sum=gemm p_format=bf16", 0.04},
    {NULL, "softmax=frozen cap=32 exponential=polynomial degree=5", 2e-4},
    {NULL, "softmax=frozen cap=32", 2e-4},
    {NULL, "softmax=lazy threshold=8", 2e-4},
};
enum { emulation_count = sizeof emulations / sizeof *emulations };

static int64_t spike_at(int companion) { /* key of the spike and of its companions */
    static const int64_t places[] = {2 * placed_tile + 10, 2 * placed_tile + 70, 3 * placed_tile + 5, 4 * placed_tile + 100};
    return places[companion];
}

/* Five tiles of keys for two waves; the third tile and those after it hold the spike. */
static placed spiked(float overshoot, bool companions) {
    placed t = placed_init(64, 5 * placed_tile, 11);
    for (int c = 0; c < (companions ? 4 : 1); c++) {
        placed_key(&t, spike_at(c), overshoot - (float)c);
    }
    return t;
}

Test(rollback, every_overshoot_is_recovered) {
    for (int h = 0; h < overshoot_count; h++) {
        placed t = spiked(overshoots[h], true);
        for (int64_t i = 32; i < 64; i++) { /* rows of one wave that lag by different amounts, or not at all */
            placed_query(&t, i, i % 3 == 0 ? 1.0f : i % 3 == 1 ? 0.25f : 0.0f);
        }
        for (int e = 0; e < emulation_count; e++) {
            const placed_result r = placed_run(&t, emulations[e].method, emulations[e].switches, NULL);
            cr_assert_lt(r.error, emulations[e].bound, "%g doublings, %s %s: error %g", (double)overshoots[h],
                         emulations[e].method ? emulations[e].method : "", emulations[e].switches, r.error);
            cr_assert_eq(r.missed, 0);
            const bool frozen = !strstr(emulations[e].switches, "lazy"), above = overshoots[h] > 32;
            cr_assert(!frozen || (r.rollbacks > 0) == above, "%g doublings: %lld rollbacks", (double)overshoots[h], (long long)r.rollbacks);
            cr_assert_lt(r.lse_error, 0.1f, "LSE off by %g doublings", (double)r.lse_error);
        }
        placed_fini(&t);
    }
}

Test(rollback, a_gate_is_reported_where_it_fires) {
    placed t = spiked(33.3f, true);
    for (int64_t i = 0; i < 32; i++) {
        placed_query(&t, i, 0.5f);
    }
    const fsattn_method *method;
    fsattn_emulator_config config;
    fsattn_emulator *emulator;
    fsattn_emulator_config_init(&config);
    cr_assert_eq(fsattn_method_find("mxfp6", &method, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_apply(&config, method->switches, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_create(&config, &t.problem, &t.operands.qkv, NULL, &emulator, NULL), FSATTN_OK);
    uint8_t gates[2 * 5];
    fsattn_emulator_output output = {.o = t.actual, .gates = gates};
    cr_assert_eq(fsattn_emulator_run(emulator, (fsattn_rows){0}, &output, NULL), FSATTN_OK);
    fsattn_emulator_destroy(emulator);
    cr_assert_eq(output.waves * output.tiles, 10);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(gates[i], i == 5 + 2 ? FSATTN_GATE_FIRED : FSATTN_GATE_QUIET, "wave %d, tile %d", i / 5, i % 5);
    }
    placed_fini(&t);
}

/* O of rows that see these keys alone with these weights. */
static double weighted_error(placed *t, const double weights[4]) {
    double difference = 0, norm = 0, sum = weights[0] + weights[1] + weights[2] + weights[3];
    for (int64_t i = 0; i < t->problem.s_q; i++) {
        for (int e = 0; e < placed_d; e++) {
            double o = 0;
            for (int c = 0; c < 4; c++) {
                o += weights[c] / sum * (double)placed_value(t, spike_at(c))[e];
            }
            difference += (o - (double)t->actual[i * placed_d + e]) * (o - (double)t->actual[i * placed_d + e]);
            norm += o * o;
        }
    }
    return sqrt(difference / norm);
}

/* Codes end 385 doublings above the reference. A spike and its companion of the same tile saturate to equal codes, the reference
 * rises by 386 only, and the companions of later tiles keep their height above that. */
Test(rollback, codes_recover_up_to_385_doublings_and_lose_what_lies_beyond) {
    for (int h = 0; h < overshoot_count; h++) {
        placed t = spiked(overshoots[h], true);
        const placed_result r = placed_run(&t, "mxfp6", "rollback=codes", NULL);
        if (overshoots[h] < 385) {
            cr_assert_lt(r.error, 0.06, "%g doublings: error %g", (double)overshoots[h], r.error);
        } else if (overshoots[h] < 420) { /* later companions stay below the cap */
            const double raised = 386, above = (double)overshoots[h] - raised;
            cr_assert_gt(r.error, 0.3, "%g doublings: error %g", (double)overshoots[h], r.error);
            cr_assert_lt(weighted_error(&t, (double[]){0.5, 0.5, exp2(above - 2), exp2(above - 3)}), 0.06);
        } else { /* each later companion saturates again and pushes all before it 386 doublings down */
            cr_assert_gt(r.error, 0.3);
            cr_assert_lt(weighted_error(&t, (double[]){0, 0, 0, 1}), 0.06);
        }
        placed_fini(&t);
    }
}

/* As FP16, patterns of 129 to 377 doublings are negative. One spike alone is seen up to 129; with companions, the gate also
 * fires when one of them lies at 121 to 129 or beyond 377 doublings. */
Test(rollback, maximum3_sees_what_it_guarantees) {
    static const struct {
        float overshoot;
        bool alone_seen, companions_seen;
    } expected[] = {{33.3f, true, true},    {97.3f, true, true},    {120.5f, true, true},   {125.0f, true, true},  {128.5f, true, true},
                    {129.5f, false, true},  {200.3f, false, false}, {376.0f, false, false}, {400.3f, true, true}, {900.3f, true, true}};
    for (size_t h = 0; h < sizeof expected / sizeof *expected; h++) {
        for (int companions = 0; companions < 2; companions++) {
            placed t = spiked(expected[h].overshoot, companions);
            const placed_result r = placed_run(&t, "mxfp6", "reduction=maximum3", NULL);
            const bool seen = companions ? expected[h].companions_seen : expected[h].alone_seen;
            cr_assert_eq(r.missed > 0, !seen, "%g doublings, companions %d: %lld missed", (double)expected[h].overshoot, companions,
                         (long long)r.missed);
            cr_assert_eq(r.rollbacks > 0, seen);
            cr_assert(seen ? r.error < 0.06 : r.error > 0.3, "%g doublings, companions %d: error %g", (double)expected[h].overshoot,
                      companions, r.error);
            placed_fini(&t);
        }
    }
}

/* A block that lies in the misread band altogether has no code that FP16 order could prefer: it is missed as well. */
Test(rollback, maximum3_misses_a_whole_block_in_its_band) {
    placed t = placed_init(32, 3 * placed_tile, 12);
    for (int64_t j = placed_tile; j < placed_tile + 32; j++) {
        placed_key(&t, j, 200 + 0.25f * (float)(j % 8));
    }
    const placed_result missed = placed_run(&t, "mxfp6", "reduction=maximum3", NULL);
    cr_assert_gt(missed.missed, 0);
    cr_assert_eq(missed.rollbacks, 0);
    cr_assert(!(missed.error < 0.3));
    const placed_result seen = placed_run(&t, "mxfp6", "reduction=u16", NULL);
    cr_assert_eq(seen.missed, 0);
    cr_assert_lt(seen.error, 0.08);
    placed_fini(&t);
}

/* Without the gate a pattern grows with the score: right up to 97 doublings, infinite, NaN and then negative from 128 on. */
Test(rollback, without_a_gate_large_overshoots_are_lost) {
    static const char *const switches[] = {"rollback=off reduction=u16", "rollback=off reduction=fp32", "rollback=off reduction=maximum3"};
    static const char *const methods[] = {"mxfp8", "mxfp6", "mxfp4"};
    for (int h = 0; h < overshoot_count; h++) {
        placed t = spiked(overshoots[h], true);
        for (int m = 0; m < 3; m++) {
            for (int s = 0; s < 3; s++) {
                const placed_result r = placed_run(&t, methods[m], switches[s], NULL);
                cr_assert_eq(r.rollbacks, 0);
                cr_assert_eq(r.missed > 0, overshoots[h] > 32);
                cr_assert(overshoots[h] < 98 ? r.error < 0.06 : !(r.error < 0.3), "%g doublings, %s %s: error %g", (double)overshoots[h],
                          methods[m], switches[s], r.error);
            }
        }
        placed_fini(&t);
    }
}

/* Scales saturate instead of wrapping around to NaN. */
Test(rollback, blocks_far_below_the_reference_vanish_quietly) {
    for (int below = 120; below <= 132; below++) {
        placed t = placed_init(32, 3 * placed_tile, 5);
        for (int64_t j = placed_tile; j < 3 * placed_tile; j++) {
            if (j / 32 % 2) {
                placed_key(&t, j, -(float)below - (float)(j % 4) * 0.25f);
            }
        }
        for (int e = 0; e < emulation_count; e++) {
            const placed_result r = placed_run(&t, emulations[e].method, emulations[e].switches, NULL);
            cr_assert_lt(r.error, emulations[e].bound, "%d below, %s %s: error %g", below, emulations[e].method ? emulations[e].method : "",
                         emulations[e].switches, r.error);
            cr_assert_eq(r.rollbacks, 0);
        }
        placed_fini(&t);
    }
}

/* Rows whose first tiles are masked: seeded by their first live tile, wherever it lies; seeding with 0 would lose all of it at
 * -500 and trip the gate at 500. Rows beside them in the same wave see the first tile. */
Test(rollback, unseeded_rows_take_their_first_live_tile_exactly) {
    static const uint8_t live[] = {0, 0, 1, 1, 1, 1, 1, 1}; /* 16 rows x 128 keys: the second 16 rows see all */
    static const float places[] = {-500, -140, -20, 0, 20, 140, 500};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        placed t = placed_init(32, 4 * placed_tile, 6);
        const fsattn_block_mask blocks = {live, 16, placed_tile, 4};
        for (int64_t j = 2 * placed_tile; j < 4 * placed_tile; j++) {
            placed_key(&t, j, places[p] - (float)(j % 7));
        }
        for (int e = 0; e < emulation_count; e++) {
            const placed_result r = placed_run(&t, emulations[e].method, emulations[e].switches, &blocks);
            cr_assert_lt(r.error, emulations[e].bound, "first live tile at %g, %s %s: error %g", (double)places[p],
                         emulations[e].method ? emulations[e].method : "", emulations[e].switches, r.error);
            cr_assert_eq(r.missed, 0);
        }
        placed_fini(&t);
    }
}

/* Scales of Q are lowered by nine and stay NaN where a block is. */
Test(rollback, nan_reaches_the_output_or_is_declared_lost) {
    for (int reduction = FSATTN_REDUCTION_FP32; reduction <= FSATTN_REDUCTION_MAXIMUM3; reduction++) {
        static const char *const switches[] = {"reduction=fp32", "reduction=u16", "reduction=maximum3"};
        const bool sees = fsattn_reduction_sees_nan((fsattn_reduction)reduction);
        cr_assert_eq(sees, reduction == FSATTN_REDUCTION_FP32);
        for (int64_t j = 3; j < 3 * placed_tile; j += placed_tile) { /* in the peeled tile and in later ones */
            placed t = placed_init(32, 3 * placed_tile, 7);
            t.operands.memory[t.operands.q_elements + (size_t)(j * placed_d) + 9] = NAN;
            placed_run(&t, "mxfp6", switches[reduction], NULL);
            for (size_t i = 0; i < t.elements; i++) {
                cr_assert_eq(isnan(t.actual[i]) != 0, sees, "key %lld, %s", (long long)j, switches[reduction]);
                cr_assert(isnan(t.expected[i]));
            }
            placed_fini(&t);
        }
        placed t = placed_init(32, 3 * placed_tile, 7);
        t.operands.memory[4 * placed_d + 9] = NAN; /* a query: its row alone */
        placed_run(&t, "mxfp6", switches[reduction], NULL);
        for (size_t i = 0; i < t.elements; i++) {
            const bool own = i / placed_d == 4;
            cr_assert_eq(isnan(t.actual[i]) != 0, own && sees);
            cr_assert(!own || sees || t.actual[i] == 0, "every score NaN reads as every key masked");
        }
        placed_fini(&t);
        t = placed_init(32, 3 * placed_tile, 7);
        placed_value(&t, placed_tile + 5)[17] = NAN; /* V: its column in every row, whatever the reduction */
        placed_run(&t, "mxfp6", switches[reduction], NULL);
        for (size_t i = 0; i < t.elements; i++) {
            cr_assert_eq(isnan(t.actual[i]) != 0, i % placed_d == 17);
        }
        placed_fini(&t);
    }
}

Test(rollback, meaningless_caps_are_refused) {
    fsattn_emulator_config config;
    fsattn_err err = {0};
    fsattn_emulator_config_init(&config);
    cr_assert_eq(fsattn_emulator_apply(&config, "softmax=frozen exponential=schraudolph_u16_bf16 reduction=maximum3 cap=121", &err), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_check(&config, &err), FSATTN_INVALID);
    cr_assert(strstr(err.message, "below 121 doublings"), "%s", err.message);
    cr_assert_eq(fsattn_emulator_apply(&config, "cap=120.5", &err), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_check(&config, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_emulator_apply(&config, "reduction=u16 cap=385", &err), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_check(&config, &err), FSATTN_INVALID);
    cr_assert(strstr(err.message, "385 doublings"), "%s", err.message);
}
