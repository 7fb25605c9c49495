#include "compare.h"

#include <math.h>

void fsattn_comparison_add(fsattn_comparison *c, const float *actual, const float *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double a = (double)actual[i], e = (double)expected[i];
        c->count++;
        if (isfinite(a) && isfinite(e)) {
            double difference = fabs(a - e);
            c->difference2 += difference * difference;
            c->expected2 += e * e;
            c->actual2 += a * a;
            c->product += a * e;
            c->maximum_error = fmax(c->maximum_error, difference);
        } else if (!(isnan(a) && isnan(e)) && !(a == e)) {
            c->mismatches++;
        }
    }
}

void fsattn_comparison_merge(fsattn_comparison *into, const fsattn_comparison *from) {
    into->difference2 += from->difference2;
    into->expected2 += from->expected2;
    into->actual2 += from->actual2;
    into->product += from->product;
    into->maximum_error = fmax(into->maximum_error, from->maximum_error);
    into->count += from->count;
    into->mismatches += from->mismatches;
}

double fsattn_comparison_error(const fsattn_comparison *c) {
    if (c->mismatches > 0) {
        return (double)INFINITY;
    }
    if (c->difference2 == 0) {
        return 0;
    }
    return c->expected2 == 0 ? (double)INFINITY : sqrt(c->difference2 / c->expected2);
}

double fsattn_comparison_cosine(const fsattn_comparison *c) {
    if (c->mismatches > 0) {
        return 0;
    }
    if (c->expected2 == 0 || c->actual2 == 0) {
        return c->expected2 == c->actual2 ? 1 : 0;
    }
    return c->product / (sqrt(c->expected2) * sqrt(c->actual2));
}
