#include "inspect.h"

#include "error.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *prefixes;
} units[] = {
#define X(name, text, prefixes) {text, prefixes},
    FSATTN_UNIT_LIST(X)
#undef X
};

const char *fsattn_unit_text(fsattn_unit unit) {
    return units[unit].text;
}

static fsattn_unit unit_of(const char *mnemonic) {
    for (int unit = 0; unit < fsattn_unit_count; unit++) {
        for (const char *prefix = units[unit].prefixes; *prefix;) {
            const size_t length = strcspn(prefix, " ");
            if (!strncmp(mnemonic, prefix, length)) {
                return (fsattn_unit)unit;
            }
            prefix += length + strspn(prefix + length, " ");
        }
    }
    return FSATTN_UNIT_OTHER;
}

typedef struct instruction {
    uint64_t address, target; /* target: of a branch, else 0 */
    const char *mnemonic;     /* in the listing */
    size_t length;            /* of the mnemonic */
    size_t matrix_before;     /* matrix instructions of the kernel before this one */
} instruction;

typedef struct program {
    instruction *items;
    size_t count, capacity;
    size_t matrix;
} program;

static fsattn_status read_line(const char *line, size_t bytes, program *p, fsattn_err *err) {
    char *end;
    instruction made = {.address = strtoull(line, &end, 16), .matrix_before = p->matrix};
    const size_t size = *end == ' ' ? strtoul(end + 1, &end, 10) : 0;
    if (size == 0 || *end != ' ') {
        return fsattn_fail(err, FSATTN_CORRUPT, "listing: not an instruction: '%.*s'", (int)bytes, line);
    }
    made.mnemonic = end + 1;
    made.length = strcspn(made.mnemonic, " \n");
    const char *arrow = memmem(line, bytes, " => ", 4);
    if (arrow) {
        made.target = strtoull(arrow + 4, NULL, 16);
    }
    if (fsattn_grow((void **)&p->items, &p->capacity, p->count, sizeof *p->items)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "listing: out of memory");
    }
    p->items[p->count++] = made;
    p->matrix += unit_of(made.mnemonic) == FSATTN_UNIT_MATRIX;
    return FSATTN_OK;
}

/* The instructions between "<kernel>:" and the next name. */
static fsattn_status read_kernel(const char *listing, const char *kernel, program *p, fsattn_err *err) {
    const size_t name_bytes = strlen(kernel);
    bool inside = false, found = false;
    for (const char *line = listing; *line;) {
        const size_t bytes = strcspn(line, "\n");
        if (bytes && line[bytes - 1] == ':') {
            inside = bytes == name_bytes + 1 && !strncmp(line, kernel, name_bytes);
            found |= inside;
        } else if (inside && bytes) {
            FSATTN_TRY(read_line(line, bytes, p, err));
        }
        line += bytes + (line[bytes] == '\n');
    }
    return found ? FSATTN_OK : fsattn_fail(err, FSATTN_NOT_FOUND, "listing: no kernel '%s'", kernel);
}

static size_t index_of(const program *p, uint64_t address) {
    size_t low = 0, high = p->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->items[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < p->count && p->items[low].address == address ? low : SIZE_MAX;
}

/* ---- loops: a branch whose target dominates it closes one ---- */

typedef struct block {
    size_t first, last;      /* instructions */
    size_t next[2];          /* blocks that follow; SIZE_MAX: none */
    size_t dominator, order; /* immediate dominator; position in a reverse postorder, SIZE_MAX: unreachable */
} block;

typedef struct graph {
    block *blocks;
    size_t *of;       /* block of each instruction */
    size_t *sequence; /* blocks in reverse postorder */
    size_t count, reachable;
} graph;

static bool is_named(const instruction *i, const char *prefix) {
    return !strncmp(i->mnemonic, prefix, strlen(prefix));
}

static bool ends_block(const instruction *i) {
    return is_named(i, "s_branch") || is_named(i, "s_cbranch") || is_named(i, "s_endpgm") ||
           is_named(i, "s_setpc");
}

static void graph_fini(graph *g) {
    fsattn_free(g->blocks);
    fsattn_free(g->of);
    fsattn_free(g->sequence);
}

static fsattn_status graph_init(graph *g, const program *p, fsattn_err *err) {
    *g = (graph){.blocks = fsattn_alloc(p->count + 1, sizeof(block)),
                 .of = fsattn_alloc(p->count + 1, sizeof(size_t)),
                 .sequence = fsattn_alloc(p->count + 1, sizeof(size_t))};
    if (!g->blocks || !g->of || !g->sequence) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "listing: out of memory");
    }
    for (size_t i = 0; i < p->count; i++) { /* leaders, marked in `of` */
        const size_t target = p->items[i].target ? index_of(p, p->items[i].target) : SIZE_MAX;
        if (target != SIZE_MAX) {
            g->of[target] = 1;
        }
        if (ends_block(&p->items[i])) {
            g->of[i + 1] = 1;
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        if (i == 0 || g->of[i]) {
            g->blocks[g->count++].first = i;
        }
        g->of[i] = g->count - 1;
        g->blocks[g->count - 1].last = i;
    }
    for (size_t b = 0; b < g->count; b++) {
        const instruction *last = &p->items[g->blocks[b].last];
        const size_t target = last->target ? index_of(p, last->target) : SIZE_MAX;
        const bool falls =
            !is_named(last, "s_branch") && !is_named(last, "s_endpgm") && !is_named(last, "s_setpc");
        g->blocks[b].next[0] = falls && b + 1 < g->count ? b + 1 : SIZE_MAX;
        g->blocks[b].next[1] = target != SIZE_MAX ? g->of[target] : SIZE_MAX;
        g->blocks[b].order = g->blocks[b].dominator = SIZE_MAX;
    }
    return FSATTN_OK;
}

/* Reverse postorder without recursion: a stack of (block, successors seen). */
static fsattn_status graph_order(graph *g, fsattn_err *err) {
    size_t depth = 0, after = g->count;
    size_t *stack = fsattn_alloc(g->count + 1, 2 * sizeof *stack);
    if (!stack) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "listing: out of memory");
    }
    g->blocks[0].order = 0; /* seen */
    for (stack[0] = stack[1] = 0, depth = 1; depth;) {
        const size_t b = stack[2 * depth - 2], seen = stack[2 * depth - 1]++;
        if (seen == 2) {
            g->sequence[--after] = b;
            depth--;
        } else if (g->blocks[b].next[seen] != SIZE_MAX &&
                   g->blocks[g->blocks[b].next[seen]].order == SIZE_MAX) {
            g->blocks[g->blocks[b].next[seen]].order = 0;
            stack[2 * depth] = g->blocks[b].next[seen];
            stack[2 * depth + 1] = 0;
            depth++;
        }
    }
    fsattn_free(stack);
    g->reachable = g->count - after;
    memmove(g->sequence, g->sequence + after, g->reachable * sizeof *g->sequence);
    for (size_t i = 0; i < g->reachable; i++) {
        g->blocks[g->sequence[i]].order = i;
    }
    return FSATTN_OK;
}

static size_t common_dominator(const graph *g, size_t a, size_t b) {
    while (a != b) {
        if (g->blocks[a].order > g->blocks[b].order) {
            a = g->blocks[a].dominator;
        } else {
            b = g->blocks[b].dominator;
        }
    }
    return a;
}

/* Cooper, Harvey and Kennedy's iteration, pushing along edges. */
static void graph_dominators(graph *g) {
    bool moved = true;
    g->blocks[0].dominator = 0;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < g->reachable; i++) {
            const size_t from = g->sequence[i];
            for (int e = 0; e < 2; e++) {
                const size_t to = g->blocks[from].next[e];
                if (to == SIZE_MAX || to == 0) {
                    continue;
                }
                const size_t old = g->blocks[to].dominator;
                const size_t found = old == SIZE_MAX ? from : common_dominator(g, old, from);
                moved |= found != old;
                g->blocks[to].dominator = found;
            }
        }
    }
}

static bool dominates(const graph *g, size_t a, size_t b) {
    while (b != a && b != 0) {
        b = g->blocks[b].dominator;
    }
    return a == b;
}

/* A loop that the compiler rotated is entered in the middle: the branch from its end leads to a block that falls into the
 * one that dominates them all. */
static bool is_rotated(const graph *g, size_t start, size_t end) {
    for (size_t b = start; b < end; b++) {
        const size_t head = g->blocks[b].next[0];
        if (g->blocks[b].order != SIZE_MAX && head != SIZE_MAX && dominates(g, head, b) && dominates(g, head, start) &&
            dominates(g, head, end)) {
            return true;
        }
    }
    return false;
}

/* The range of the main loop; false when there is none. */
static bool find_loop(const program *p, const graph *g, size_t *first, size_t *last) {
    size_t most = 0;
    for (size_t i = 0; i < p->count; i++) {
        const instruction *branch = &p->items[i];
        const size_t start =
            branch->target && branch->target <= branch->address ? index_of(p, branch->target) : SIZE_MAX;
        if (start == SIZE_MAX || g->blocks[g->of[i]].order == SIZE_MAX ||
            (!dominates(g, g->of[start], g->of[i]) && !is_rotated(g, g->of[start], g->of[i]))) {
            continue;
        }
        const size_t matrix = branch->matrix_before - p->items[start].matrix_before;
        if (matrix > most || (matrix == most && matrix && i - start < *last - *first)) {
            most = matrix;
            *first = start;
            *last = i;
        }
    }
    return most > 0;
}

static int compare_mnemonics(const void *a, const void *b) {
    return strcmp(((const fsattn_mnemonic *)a)->name, ((const fsattn_mnemonic *)b)->name);
}

static void count_instruction(fsattn_loop *loop, const instruction *i) {
    const fsattn_unit unit = unit_of(i->mnemonic);
    loop->instructions++;
    loop->units[unit]++;
    for (size_t m = 0; m < loop->mnemonic_count; m++) {
        if (strlen(loop->mnemonics[m].name) == i->length &&
            !strncmp(loop->mnemonics[m].name, i->mnemonic, i->length)) {
            loop->mnemonics[m].count++;
            return;
        }
    }
    if (loop->mnemonic_count < fsattn_loop_mnemonic_limit) {
        fsattn_mnemonic *made = &loop->mnemonics[loop->mnemonic_count++];
        snprintf(made->name, sizeof made->name, "%.*s", (int)i->length, i->mnemonic);
        made->unit = unit;
        made->count = 1;
    }
}

fsattn_status fsattn_inspect_loop(const char *listing, const char *kernel, fsattn_loop *loop,
                                  fsattn_err *err) {
    program p = {0};
    graph g = {0};
    size_t first = 0, last = 0;
    fsattn_status status;
    FSATTN_GOTO(read_kernel(listing, kernel, &p, err));
    FSATTN_GOTO(graph_init(&g, &p, err));
    if (p.count) {
        FSATTN_GOTO(graph_order(&g, err));
        graph_dominators(&g);
    }
    if (!find_loop(&p, &g, &first, &last)) {
        status =
            fsattn_fail(err, FSATTN_NOT_FOUND, "listing: '%s' has no loop with a matrix instruction", kernel);
        goto out;
    }
    *loop = (fsattn_loop){.first = p.items[first].address, .last = p.items[last].address};
    for (size_t i = first; i <= last; i++) {
        count_instruction(loop, &p.items[i]);
    }
    qsort(loop->mnemonics, loop->mnemonic_count, sizeof *loop->mnemonics, compare_mnemonics);
out:
    graph_fini(&g);
    fsattn_free(p.items);
    return status;
}

size_t fsattn_loop_count(const fsattn_loop *loop, const char *prefix) {
    size_t count = 0;
    for (size_t i = 0; i < loop->mnemonic_count; i++) {
        count += strncmp(loop->mnemonics[i].name, prefix, strlen(prefix)) ? 0 : loop->mnemonics[i].count;
    }
    return count;
}

bool fsattn_inspect_fits(const fsattn_code_kernel *kernel, const fsattn_inspect_limits *limits, char *reason,
                         size_t bytes) {
    reason[0] = '\0';
    if (kernel->vgpr_spills || kernel->sgpr_spills || kernel->scratch_bytes) {
        snprintf(reason, bytes, "spills %u vector and %u scalar registers (%u bytes of scratch a lane)",
                 kernel->vgpr_spills, kernel->sgpr_spills, kernel->scratch_bytes);
    } else if (limits->vgprs && kernel->vgprs > limits->vgprs) {
        snprintf(reason, bytes, "uses %u vector registers, %u is the limit", kernel->vgprs, limits->vgprs);
    } else if (limits->lds_bytes && kernel->lds_bytes > limits->lds_bytes) {
        snprintf(reason, bytes, "uses %u bytes of LDS, %u is the limit", kernel->lds_bytes,
                 limits->lds_bytes);
    }
    return !reason[0];
}

void fsattn_inspect_text(const fsattn_code_kernel *kernel, const fsattn_loop *loop, fsattn_text *text) {
    fsattn_text_printf(
        text, "%s: %u VGPRs (%u of them AGPRs), %u SGPRs, %u bytes of LDS, %u threads at most\n",
        kernel->name, kernel->vgprs, kernel->agprs, kernel->sgprs, kernel->lds_bytes, kernel->threads_max);
    fsattn_text_printf(text, "spills: %u vector, %u scalar; scratch: %u bytes a lane; arguments: %u bytes\n",
                       kernel->vgpr_spills, kernel->sgpr_spills, kernel->scratch_bytes,
                       kernel->kernarg_bytes);
    if (!loop) {
        return;
    }
    fsattn_text_printf(text, "main loop: %zu instructions", loop->instructions);
    for (int unit = 0; unit < fsattn_unit_count; unit++) {
        if (loop->units[unit]) {
            fsattn_text_printf(text, ", %s %zu", units[unit].text, loop->units[unit]);
        }
    }
    fsattn_text_puts(text, "\n");
    for (int unit = 0; unit < fsattn_unit_count; unit++) {
        for (size_t i = 0; i < loop->mnemonic_count; i++) {
            if ((int)loop->mnemonics[i].unit == unit) {
                fsattn_text_printf(text, "%6zu %s\n", loop->mnemonics[i].count, loop->mnemonics[i].name);
            }
        }
    }
}
