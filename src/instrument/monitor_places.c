/*
 * Where are copies made?  See monitor_places.h.
 *
 * Each block with a change has to be dominated by a block with the copy.  From the leaves of the
 * dominator tree up: a block has the copy itself, or those below it have theirs, whichever costs
 * less.  How often a block runs is guessed from branches and loops, and cold is what ends in a call
 * that does not return.
 *
 * Where two such blocks can follow each other, or one follows itself, the copy asks whether it was
 * made.  A function that setjmp() may return to once more copies when it begins.
 *
 * Cost: for each copy linear in the function.
 */
#include "instrument/monitor_places.h"

#include <stdlib.h>

#include "analysis/flow.h"
#include "base/mem.h"

enum {
    most_places = 6,     /* their code is not small */
    cost_of_asking = 2,  /* instructions */
    cost_of_finding = 1, /* the record, once more */
    cost_of_telling = 1, /* when the function begins: there is no copy so far */
    cost_of_keeping = 1, /* the pointer, in a register or a slot */
    per_loop = 8,        /* rounds, as a guess */
    deepest = 4,         /* loops that are counted */
};

struct block_guess {
    double runs;   /* how often, for each call of the function */
    double chance; /* that it runs at all */
    bool is_cold, is_in_loop;
};

struct monitor_places {
    const struct program *program;
    struct flow *flow; /* NULL: copies are made at the beginning */
    struct block_guess *guesses;
    uint32_t *place; /* by node: in the flow's order */
    bool *has_change, *is_chosen, *is_needed;
    double *best;
    VEC(struct copy_place) list;
};

static bool returns_twice(const struct program *program, function_id id) {
    struct range instructions = program->functions.data[id].instructions;
    for (uint32_t i = 0; i < instructions.count; i++) {
        const struct instruction *one = &program->instructions.data[instructions.first + i];
        if (one->flags & INSTRUCTION_CALL &&
            (one->callee == NO_ID
                 ? false
                 : program->functions.data[one->callee].flags & FUNCTION_RETURNS_TWICE))
            return true;
    }
    return false;
}

/* --- guesses ------------------------------------------------------------------------------ */

static const struct instruction *last_of(const struct monitor_places *places, uint32_t node) {
    struct range range = places->flow->instructions[node];
    return &places->program->instructions.data[range.first + range.count - 1];
}

/* Nodes from which nothing returns. */
static void find_cold(struct monitor_places *places) {
    const struct flow *flow = places->flow;
    for (uint32_t i = flow->order_count; i-- > 0;) {
        uint32_t node = flow->order[i], first = flow->successors.start[node];
        uint32_t end = flow->successors.start[node + 1];
        bool is_cold = last_of(places, node)->opcode == OP_UNREACHABLE || first < end;
        for (uint32_t k = first; k < end; k++) {
            uint32_t to = flow->successors.to[k];
            is_cold &= to == flow->count ? last_of(places, node)->opcode == OP_UNREACHABLE
                                         : places->guesses[to].is_cold;
        }
        places->guesses[node].is_cold = is_cold;
    }
}

/* Every node from which `tail` is reached without `head` is in the loop. */
static void add_loop(const struct flow *flow, uint32_t head, uint32_t tail, uint8_t *depth) {
    bool *is_in = mem_zalloc(flow->count, sizeof *is_in);
    VEC(uint32_t) left = {0};
    is_in[head] = true;
    VEC_PUSH(&left, tail);
    while (left.count) {
        uint32_t node = left.data[--left.count];
        if (is_in[node])
            continue;
        is_in[node] = true;
        for (uint32_t k = flow->predecessors.start[node]; k < flow->predecessors.start[node + 1];
             k++)
            VEC_PUSH(&left, flow->predecessors.to[k]);
    }
    for (uint32_t node = 0; node < flow->count; node++)
        depth[node] += is_in[node] && depth[node] < deepest;
    VEC_DEINIT(&left);
    free(is_in);
}

/* The loops of a head count once, however many ways lead back. */
static uint8_t *find_loops(const struct monitor_places *places) {
    const struct flow *flow = places->flow;
    uint8_t *depth = mem_zalloc(flow->count + 1, sizeof *depth);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t head = flow->order[i], farthest = NO_ID;
        for (uint32_t k = flow->predecessors.start[head]; k < flow->predecessors.start[head + 1];
             k++) {
            uint32_t tail = flow->predecessors.to[k];
            if (places->place[tail] != NO_ID && places->place[tail] >= i &&
                (farthest == NO_ID || places->place[tail] > places->place[farthest]))
                farthest = tail;
        }
        if (farthest != NO_ID)
            add_loop(flow, head, farthest, depth);
    }
    return depth;
}

/* The chance of a node by those that lead to it, if its dominator runs. */
static double chance_of(const struct monitor_places *places, uint32_t node) {
    const struct flow *flow = places->flow;
    double above = places->guesses[flow->dominator[node]].chance, sum = 0;
    if (flow->post_dominator[flow->dominator[node]] == node)
        return above;
    for (uint32_t k = flow->predecessors.start[node]; k < flow->predecessors.start[node + 1]; k++) {
        uint32_t from = flow->predecessors.to[k], ways = 0;
        if (places->place[from] == NO_ID || places->place[from] >= places->place[node])
            continue;
        for (uint32_t w = flow->successors.start[from]; w < flow->successors.start[from + 1]; w++)
            ways += flow->successors.to[w] == flow->count ||
                    !places->guesses[flow->successors.to[w]].is_cold;
        sum += places->guesses[from].chance / (ways ? ways : 1);
    }
    return sum < above ? sum : above;
}

static void guess(struct monitor_places *places) {
    const struct flow *flow = places->flow;
    static const double cold = 1.0 / 256;
    find_cold(places);
    uint8_t *depth = find_loops(places);
    places->guesses[0].chance = places->guesses[0].runs = 1;
    for (uint32_t i = 1; i < flow->order_count; i++) {
        struct block_guess *one = &places->guesses[flow->order[i]];
        one->chance = one->is_cold ? cold : chance_of(places, flow->order[i]);
    }
    for (uint32_t i = 0; i < flow->order_count; i++) {
        struct block_guess *one = &places->guesses[flow->order[i]];
        one->runs = one->chance;
        for (uint8_t loop = depth[flow->order[i]]; loop && !one->is_cold; loop--)
            one->runs *= per_loop;
        one->is_in_loop = depth[flow->order[i]] > 0;
        one->chance = one->runs < 1 ? one->runs : 1;
    }
    free(depth);
}

struct monitor_places *monitor_places_new(const struct program *program, function_id function) {
    struct monitor_places *places = mem_zalloc(1, sizeof *places);
    places->program = program;
    if (returns_twice(program, function))
        return places;
    places->flow = flow_build(program, function, NULL);
    uint32_t count = places->flow->count + 1;
    places->guesses = mem_zalloc(count, sizeof *places->guesses);
    places->place = mem_alloc(count * sizeof *places->place);
    places->has_change = mem_zalloc(count, sizeof *places->has_change);
    places->is_chosen = mem_zalloc(count, sizeof *places->is_chosen);
    places->is_needed = mem_zalloc(count, sizeof *places->is_needed);
    places->best = mem_zalloc(count, sizeof *places->best);
    for (uint32_t node = 0; node < count; node++)
        places->place[node] = NO_ID;
    for (uint32_t i = 0; i < places->flow->order_count; i++)
        places->place[places->flow->order[i]] = i;
    guess(places);
    return places;
}

void monitor_places_free(struct monitor_places *places) {
    if (places->flow)
        flow_free(places->flow);
    free(places->guesses);
    free(places->place);
    free(places->has_change);
    free(places->is_chosen);
    free(places->is_needed);
    free(places->best);
    VEC_DEINIT(&places->list);
    free(places);
}

/* --- choosing ----------------------------------------------------------------------------- */

static void find_changes(struct monitor_places *places,
                         bool (*is_changed)(instruction_id instruction, void *data), void *data) {
    const struct flow *flow = places->flow;
    for (uint32_t node = 0; node < flow->count; node++) {
        struct range range = flow->instructions[node];
        bool *has = &places->has_change[node];
        *has = false;
        for (uint32_t i = 0; i < range.count && !*has; i++)
            *has = is_changed(range.first + i, data);
    }
}

static double cost_at(const struct monitor_places *places, uint32_t node, uint32_t cost) {
    const struct block_guess *guess = &places->guesses[node];
    double asking = guess->is_in_loop ? cost_of_asking + cost_of_finding : 0;
    return guess->chance * (cost + cost_of_finding + cost_of_keeping) +
           (guess->runs - guess->chance) * asking;
}

/* What it costs, not counting what is done when the function begins. */
static double choose(struct monitor_places *places, uint32_t cost) {
    const struct flow *flow = places->flow;
    for (uint32_t node = 0; node < flow->count; node++) {
        places->best[node] = 0;
        places->is_needed[node] = places->is_chosen[node] = false;
    }
    for (uint32_t i = flow->order_count; i-- > 0;) {
        uint32_t node = flow->order[i], above = flow->dominator[node];
        bool is_needed = places->is_needed[node] || places->has_change[node];
        double here = cost_at(places, node, cost);
        if (places->has_change[node] || (is_needed && here <= places->best[node])) {
            places->is_chosen[node] = true;
            places->best[node] = here;
        }
        if (i && is_needed) {
            places->is_needed[above] = true;
            places->best[above] += places->best[node];
        }
    }
    return places->best[0];
}

/* Does one of the chosen nodes come behind this one? */
static bool is_followed(const struct monitor_places *places, uint32_t from, uint32_t by) {
    const struct flow *flow = places->flow;
    bool *is_seen = mem_zalloc(flow->count + 1, sizeof *is_seen);
    VEC(uint32_t) left = {0};
    VEC_PUSH(&left, from);
    while (left.count && !is_seen[by]) {
        uint32_t node = left.data[--left.count];
        for (uint32_t k = flow->successors.start[node]; k < flow->successors.start[node + 1]; k++) {
            uint32_t to = flow->successors.to[k];
            if (to == flow->count || is_seen[to])
                continue;
            is_seen[to] = true;
            VEC_PUSH(&left, to);
        }
    }
    bool ret = is_seen[by];
    VEC_DEINIT(&left);
    free(is_seen);
    return ret;
}

/* Those that no other one dominates, in the flow's order; false if there are too many. */
static bool collect(struct monitor_places *places) {
    const struct flow *flow = places->flow;
    VEC(uint32_t) nodes = {0};
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t node = flow->order[i];
        bool is_covered = i && places->is_needed[flow->dominator[node]] == false;
        if (places->is_chosen[node] && !is_covered)
            VEC_PUSH(&nodes, node);
        /* From here on `is_needed` says that the nodes below are not covered so far. */
        places->is_needed[node] = !is_covered && !places->is_chosen[node];
    }
    places->list.count = 0;
    for (size_t i = 0; i < nodes.count && nodes.count <= most_places; i++) {
        const struct function *function = &places->program->functions.data[flow->function];
        block_id block =
            places->program->instructions.data[flow->instructions[nodes.data[i]].first].block;
        struct copy_place one = {.block = block - function->blocks.first};
        for (size_t k = 0; k < nodes.count && !one.is_repeated; k++)
            one.is_repeated = is_followed(places, nodes.data[k], nodes.data[i]);
        VEC_PUSH(&places->list, one);
    }
    bool ret = nodes.count <= most_places;
    VEC_DEINIT(&nodes);
    return ret;
}

size_t monitor_places_find(struct monitor_places *places,
                           bool (*is_changed)(instruction_id instruction, void *data), void *data,
                           uint32_t cost, const struct copy_place **ret) {
    if (!places->flow)
        return 0;
    find_changes(places, is_changed, data);
    if (choose(places, cost) + cost_of_telling >= cost || places->is_chosen[0] || !collect(places))
        return 0;
    *ret = places->list.data;
    return places->list.count;
}
