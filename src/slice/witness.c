/*
 * Krinke's algorithms 1 and 2; witness.h.
 *
 *     slicer      what is the same for both: points, state tuples, going to another thread
 *     inner       ways within a thread: by definition, or by summary edges
 *
 * Cost: exponential in the number of threads at worst; the number of states is limited.
 */
#include "slice/witness.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/idmap.h"

/* A node in a context. */
struct point {
    context_id context;
    node_id node;
};

struct state {
    uint32_t point, tuple;
};

typedef VEC(uint32_t) number_vec;

struct slicer {
    struct order *order;
    const struct sdg *sdg;
    const struct witness_options *options;
    const struct sdg_edges *edges; /* against the way that we go */
    uint32_t instances;
    bool *found;      /* by node */
    bool *is_below;   /* by node: marked with all that it calls */
    bool *leads_away; /* by node: from here, or below, a way goes to another thread */
    VEC(struct point) points;
    struct idmap point_ids;
    number_vec tuples; /* `instances` numbers each: a point plus one, or 0 */
    uint32_t tuple_count;
    struct idmap tuple_ids, states;
    VEC(struct state) work;
    VEC(number_vec) exits; /* by point: where ways from it leave the thread; algorithm 2 */
    number_vec exit_index; /* by point: in `exits`, plus one */
    struct idmap hub_ids;
    VEC(number_vec) behind_hubs;
    bool is_too_large;
};

static const struct sdg_node *node_at(const struct slicer *slicer, node_id node) {
    return &slicer->sdg->nodes.data[node];
}

/* The instruction of a node that is at a call. */
static instruction_id call_of(const struct slicer *slicer, node_id node) {
    return node_at(slicer, node)->of;
}

static bool is_call(const struct slicer *slicer, node_id node,
                    bool (*which)(const struct program *, const struct pta *, instruction_id)) {
    const struct sdg_node *of = node_at(slicer, node);
    if (of->kind != NODE_INSTRUCTION && of->kind != NODE_ACTUAL_IN && of->kind != NODE_ACTUAL_OUT)
        return false;
    return slicer->sdg->program->instructions.data[of->of].flags & INSTRUCTION_CALL &&
           which(slicer->sdg->program, slicer->sdg->pta, of->of);
}

static struct order_place place_of(const struct slicer *slicer, struct point point) {
    const struct sdg_node *node = node_at(slicer, point.node);
    struct order_place place = {.context = point.context, .at = node->of};
    switch (node->kind) {
    case NODE_ENTRY:
    case NODE_FORMAL_IN:
        place.at = slicer->sdg->program->functions.data[node->function].instructions.first;
        break;
    case NODE_FORMAL_OUT:
        place.at = NO_ID;
        break;
    case NODE_ACTUAL_OUT:
        place.is_after = true;
        break;
    default:
        break;
    }
    return place;
}

/* --- points, tuples, states ------------------------------------------------------------------ */

static uint32_t point_id(struct slicer *slicer, context_id context, node_id node) {
    const void *key = (const void *)(uintptr_t)(((uint64_t)context + 1) << 32 | node);
    uint32_t id = idmap_find(&slicer->point_ids, key);
    if (id != IDMAP_NONE)
        return id;
    id = (uint32_t)slicer->points.count;
    VEC_PUSH(&slicer->points, (struct point){context, node});
    VEC_PUSH(&slicer->exit_index, 0);
    idmap_set(&slicer->point_ids, key, id);
    slicer->is_too_large |= slicer->points.count > 20 * (size_t)WITNESS_MOST_STATES;
    return id;
}

static const uint32_t *tuple_at(const struct slicer *slicer, uint32_t tuple) {
    return slicer->tuples.data + (size_t)tuple * slicer->instances;
}

static uint32_t tuple_id(struct slicer *slicer, const uint32_t *tuple) {
    size_t size = slicer->instances * sizeof *tuple;
    const void *key = (const void *)(uintptr_t)(XXH3_64bits(tuple, size) | 1);
    uint32_t id = idmap_find(&slicer->tuple_ids, key);
    if (id != IDMAP_NONE)
        return id;
    id = slicer->tuple_count++;
    for (uint32_t i = 0; i < slicer->instances; i++)
        VEC_PUSH(&slicer->tuples, tuple[i]);
    idmap_set(&slicer->tuple_ids, key, id);
    return id;
}

static void mark(struct slicer *slicer, node_id node) { slicer->found[node] = true; }

static void add_state(struct slicer *slicer, uint32_t point, uint32_t tuple) {
    const void *key = (const void *)(uintptr_t)(((uint64_t)point + 1) << 32 | tuple);
    if (slicer->is_too_large || idmap_find(&slicer->states, key) != IDMAP_NONE)
        return;
    idmap_set(&slicer->states, key, 0);
    VEC_PUSH(&slicer->work, (struct state){point, tuple});
    mark(slicer, slicer->points.data[point].node);
    slicer->is_too_large |= slicer->states.count > WITNESS_MOST_STATES;
}

/* --- within a thread -------------------------------------------------------------------------- */

/* Is the edge one that leads out of a function, to its caller? */
static bool leads_up(const struct slicer *slicer, enum sdg_edge_kind kind) {
    return slicer->options->forward ? kind == EDGE_PARAMETER_OUT
                                    : kind == EDGE_PARAMETER_IN || kind == EDGE_CALL;
}
static bool leads_down(const struct slicer *slicer, enum sdg_edge_kind kind) {
    return slicer->options->forward ? kind == EDGE_PARAMETER_IN || kind == EDGE_CALL
                                    : kind == EDGE_PARAMETER_OUT;
}

static bool is_joined(const struct slicer *slicer, node_id from, node_id to) {
    return node_at(slicer, from)->kind == NODE_ACTUAL_OUT &&
           node_at(slicer, to)->kind == NODE_MERGE;
}

/* Does a join really wait for one of the threads whose part of memory this is? */
static bool has_joined(const struct slicer *slicer, node_id out) {
    const struct sdg *sdg = slicer->sdg;
    for (uint64_t i = sdg->in.start[out]; i < sdg->in.start[out + 1]; i++)
        for (uint32_t t = 0; sdg->in.edges[i].kind == EDGE_INTERFERENCE && t < slicer->instances;
             t++)
            if (order_entry(slicer->order, t) == node_at(slicer, sdg->in.edges[i].node)->function &&
                order_joins(slicer->order, call_of(slicer, out), t))
                return true;
    return false;
}

/* Edges that stay in the thread: all but those of interference that lead from one to another,
 * or those that create one. */
static bool is_inner(const struct slicer *slicer, node_id node, struct sdg_edge edge) {
    node_id from = slicer->options->forward ? node : edge.node;
    node_id to = slicer->options->forward ? edge.node : node;
    switch (edge.kind) {
    case EDGE_INTERFERENCE: /* what a join gives to the function that it is in */
        return is_joined(slicer, from, to);
    case EDGE_CALL:
    case EDGE_PARAMETER_IN:
        return !is_call(slicer, from, threads_is_create);
    default:
        return true;
    }
}

/* Is it one that we follow at all?  Hubs have no place in an order. */
static bool is_followed(const struct slicer *slicer, node_id node, struct sdg_edge edge) {
    node_id from = slicer->options->forward ? node : edge.node;
    node_id to = slicer->options->forward ? edge.node : node;
    if (edge.kind == EDGE_HUB ||
        (slicer->options->data_only && (edge.kind == EDGE_CONTROL || edge.kind == EDGE_CALL)))
        return false;
    return edge.kind != EDGE_INTERFERENCE || !is_joined(slicer, from, to) ||
           has_joined(slicer, from);
}

/* Where the edge leads from a context; NO_ID if it does not. */
static context_id context_behind(const struct slicer *slicer, struct point point,
                                 struct sdg_edge edge) {
    const struct sdg_node *here = node_at(slicer, point.node), *there = node_at(slicer, edge.node);
    bool up = leads_up(slicer, edge.kind), down = leads_down(slicer, edge.kind);
    if ((!up && !down) || order_is_folded(slicer->order, here->function, there->function))
        return point.context;
    if ((here->kind == NODE_FORMAL_IN && there->kind == NODE_FORMAL_OUT) ||
        (here->kind == NODE_FORMAL_OUT && there->kind == NODE_FORMAL_IN))
        return order_root_of(slicer->order, point.context, there->function);
    if (down)
        return order_enter(slicer->order, point.context, call_of(slicer, point.node),
                           there->function);
    return order_call(slicer->order, point.context) == call_of(slicer, edge.node)
               ? order_caller(slicer->order, point.context)
               : NO_ID;
}

static bool crosses_calls(const struct slicer *slicer, node_id node, struct sdg_edge edge) {
    return (leads_up(slicer, edge.kind) || leads_down(slicer, edge.kind)) &&
           !order_is_folded(slicer->order, node_at(slicer, node)->function,
                            node_at(slicer, edge.node)->function);
}

/* Algorithm 1: every step by itself. */
static void go_by_definition(struct slicer *slicer, uint32_t at, uint32_t tuple) {
    struct point point = slicer->points.data[at];
    const struct sdg_edges *edges = slicer->edges;
    for (uint64_t i = edges->start[point.node]; i < edges->start[point.node + 1]; i++) {
        struct sdg_edge edge = edges->edges[i];
        if (edge.kind == EDGE_SUMMARY || !is_inner(slicer, point.node, edge) ||
            !is_followed(slicer, point.node, edge))
            continue;
        context_id context = context_behind(slicer, point, edge);
        if (context != NO_ID)
            add_state(slicer, point_id(slicer, context, edge.node), tuple);
    }
}

/* Marks a node in a called function, and what it depends on in there; once and for all. */
static void mark_below(struct slicer *slicer, node_id first) {
    VEC(node_id) work = {0};
    if (slicer->is_below[first])
        return;
    slicer->is_below[first] = true;
    VEC_PUSH(&work, first);
    while (work.count) {
        node_id node = work.data[--work.count];
        mark(slicer, node);
        for (uint64_t i = slicer->edges->start[node]; i < slicer->edges->start[node + 1]; i++) {
            struct sdg_edge edge = slicer->edges->edges[i];
            if (slicer->is_below[edge.node] || !is_inner(slicer, node, edge) ||
                !is_followed(slicer, node, edge) ||
                (leads_up(slicer, edge.kind) && crosses_calls(slicer, node, edge)))
                continue;
            slicer->is_below[edge.node] = true;
            VEC_PUSH(&work, edge.node);
        }
    }
    VEC_DEINIT(&work);
}

static bool leaves_thread(const struct slicer *slicer, node_id node) {
    for (uint64_t i = slicer->edges->start[node]; i < slicer->edges->start[node + 1]; i++)
        if (!is_inner(slicer, node, slicer->edges->edges[i]))
            return true;
    return false;
}

/* Backwards over the ways that go down: which nodes come to one that leaves the thread? */
static void find_leading(struct slicer *slicer) {
    const struct sdg_edges *back = slicer->options->forward ? &slicer->sdg->in : &slicer->sdg->out;
    VEC(node_id) work = {0};
    for (node_id n = 0; n < slicer->sdg->nodes.count; n++)
        if (node_at(slicer, n)->function != NO_ID && leaves_thread(slicer, n)) {
            slicer->leads_away[n] = true;
            VEC_PUSH(&work, n);
        }
    while (work.count) {
        node_id node = work.data[--work.count];
        for (uint64_t i = back->start[node]; i < back->start[node + 1]; i++) {
            struct sdg_edge edge = back->edges[i];
            struct sdg_edge way = {.node = node, .kind = edge.kind};
            if (slicer->leads_away[edge.node] || !is_inner(slicer, edge.node, way) ||
                !is_followed(slicer, edge.node, way) ||
                node_at(slicer, edge.node)->function == NO_ID ||
                (leads_up(slicer, edge.kind) && crosses_calls(slicer, edge.node, way)))
                continue;
            slicer->leads_away[edge.node] = true;
            VEC_PUSH(&work, edge.node);
        }
    }
    VEC_DEINIT(&work);
}

/* A point, and whether it was entered from above. */
struct inner {
    uint32_t point;
    bool is_below;
};
typedef VEC(struct inner) inner_vec;

static void visit_inner(struct slicer *slicer, inner_vec *work, struct idmap *known,
                        struct inner next) {
    const void *key = (const void *)(uintptr_t)(2 * ((uint64_t)next.point + 1) + next.is_below);
    if (idmap_find(known, key) != IDMAP_NONE)
        return;
    idmap_set(known, key, 0);
    mark(slicer, slicer->points.data[next.point].node);
    VEC_PUSH(work, next);
}

/* Algorithm 2: where ways from a point leave its thread.  Calls are crossed by summary edges;
 * down into them goes only who will leave the thread there. */
static uint32_t find_exits(struct slicer *slicer, uint32_t from) {
    if (slicer->exit_index.data[from])
        return slicer->exit_index.data[from] - 1;
    inner_vec work = {0};
    struct idmap known = {0};
    number_vec exits = {0};
    visit_inner(slicer, &work, &known, (struct inner){from, false});
    while (work.count && !slicer->is_too_large) {
        struct inner at = work.data[--work.count];
        struct point point = slicer->points.data[at.point];
        if (leaves_thread(slicer, point.node))
            VEC_PUSH(&exits, at.point);
        for (uint64_t i = slicer->edges->start[point.node];
             i < slicer->edges->start[point.node + 1]; i++) {
            struct sdg_edge edge = slicer->edges->edges[i];
            if (!is_inner(slicer, point.node, edge) || !is_followed(slicer, point.node, edge))
                continue;
            bool crosses = crosses_calls(slicer, point.node, edge);
            bool down = crosses && leads_down(slicer, edge.kind);
            if (crosses && !down && at.is_below)
                continue;
            if (down)
                mark_below(slicer, edge.node);
            if ((down || at.is_below) && !slicer->leads_away[edge.node])
                continue;
            context_id context = context_behind(slicer, point, edge);
            if (context != NO_ID)
                visit_inner(
                    slicer, &work, &known,
                    (struct inner){point_id(slicer, context, edge.node), at.is_below || down});
        }
    }
    VEC_DEINIT(&work);
    idmap_deinit(&known);
    VEC_PUSH(&slicer->exits, exits);
    slicer->exit_index.data[from] = (uint32_t)slicer->exits.count;
    return (uint32_t)slicer->exits.count - 1;
}

/* --- to another thread ---------------------------------------------------------------------------
 */

/* What writes, or reads, memory that threads share, behind the nodes that stand for it. */
static uint32_t behind_hub(struct slicer *slicer, node_id hub) {
    const void *key = (const void *)(uintptr_t)(hub + 1ULL);
    uint32_t known = idmap_find(&slicer->hub_ids, key);
    if (known != IDMAP_NONE)
        return known;
    struct bitset seen = {0};
    number_vec work = {0}, all = {0};
    VEC_PUSH(&work, hub);
    while (work.count) {
        node_id node = work.data[--work.count];
        mark(slicer, node);
        for (uint64_t i = slicer->edges->start[node]; i < slicer->edges->start[node + 1]; i++) {
            node_id next = slicer->edges->edges[i].node;
            if (bitset_add(&seen, next))
                VEC_PUSH(node_at(slicer, next)->kind == NODE_HUB ? &work : &all, next);
        }
    }
    bitset_deinit(&seen);
    VEC_DEINIT(&work);
    VEC_PUSH(&slicer->behind_hubs, all);
    known = (uint32_t)slicer->behind_hubs.count - 1;
    idmap_set(&slicer->hub_ids, key, known);
    return known;
}

/* `a` comes on the way before `b`, so it is behind it in time when we slice backwards. */
static bool may_follow(struct slicer *slicer, struct point a, struct point b) {
    struct order_place x = place_of(slicer, a), y = place_of(slicer, b);
    return slicer->options->forward ? order_may_precede(slicer->order, x, y)
                                    : order_may_precede(slicer->order, y, x);
}

/* Goes from a point to one in another thread, if an execution can. */
static void go_to(struct slicer *slicer, uint32_t from, uint32_t tuple, struct point to) {
    struct point here = slicer->points.data[from];
    uint32_t left = order_instance(slicer->order, here.context);
    uint32_t entered = order_instance(slicer->order, to.context);
    if (!may_follow(slicer, here, to))
        return;
    uint32_t *next CLEANUP_FREE = mem_alloc(slicer->instances * sizeof *next);
    memcpy(next, tuple_at(slicer, tuple), slicer->instances * sizeof *next);
    next[left] = 0;
    for (uint32_t i = 0; i < slicer->instances; i++)
        if (next[i] && !may_follow(slicer, slicer->points.data[next[i] - 1], to))
            return;
    uint32_t point = point_id(slicer, to.context, to.node);
    if (!order_is_many(slicer->order, left))
        next[left] = from + 1;
    if (!order_is_many(slicer->order, entered))
        next[entered] = point + 1;
    add_state(slicer, point, tuple_id(slicer, next));
}

/* Through memory: to all places of the instruction that are in parallel. */
static void interfere(struct slicer *slicer, uint32_t from, uint32_t tuple, node_id other) {
    struct point here = slicer->points.data[from];
    node_id write = slicer->options->forward ? here.node : other;
    node_id read = slicer->options->forward ? other : here.node;
    uint32_t count;
    const context_id *contexts =
        order_contexts(slicer->order, node_at(slicer, other)->function, &count);
    if (node_at(slicer, write)->kind == NODE_INSTRUCTION &&
        node_at(slicer, read)->kind == NODE_INSTRUCTION &&
        order_is_hidden(slicer->order, write, read))
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct point to = {contexts[i], other};
        if (order_is_parallel(slicer->order, place_of(slicer, here), place_of(slicer, to)))
            go_to(slicer, from, tuple, to);
    }
}

/* Between the end of a thread and what waits for it. */
static void join(struct slicer *slicer, uint32_t from, uint32_t tuple, node_id other) {
    struct point here = slicer->points.data[from];
    bool forward = slicer->options->forward;
    uint32_t count;
    const context_id *contexts =
        order_contexts(slicer->order, node_at(slicer, other)->function, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct point to = {contexts[i], other}, end = forward ? here : to;
        struct point at = forward ? to : here;
        uint32_t ended = order_instance(slicer->order, end.context);
        bool is_end = node_at(slicer, end.node)->kind != NODE_FORMAL_OUT ||
                      end.context == order_root(slicer->order, ended);
        if (is_end && ended != order_instance(slicer->order, at.context) &&
            order_joins(slicer->order, call_of(slicer, at.node), ended))
            go_to(slicer, from, tuple, to);
    }
}

/* Between a call that creates a thread and its beginning. */
static void create(struct slicer *slicer, uint32_t from, uint32_t tuple, node_id other) {
    struct point here = slicer->points.data[from];
    bool forward = slicer->options->forward;
    uint32_t count;
    const context_id *contexts =
        order_contexts(slicer->order, node_at(slicer, other)->function, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct point to = {contexts[i], other};
        struct point begin = forward ? to : here, at = forward ? here : to;
        uint32_t created = order_instance(slicer->order, begin.context);
        if (begin.context == order_root(slicer->order, created) &&
            order_creates(slicer->order, at.context, call_of(slicer, at.node), created))
            go_to(slicer, from, tuple, to);
    }
}

static void leave_thread(struct slicer *slicer, uint32_t at, uint32_t tuple) {
    node_id node = slicer->points.data[at].node;
    for (uint64_t i = slicer->edges->start[node]; i < slicer->edges->start[node + 1]; i++) {
        struct sdg_edge edge = slicer->edges->edges[i];
        if (is_inner(slicer, node, edge) || !is_followed(slicer, node, edge))
            continue;
        if (edge.kind != EDGE_INTERFERENCE) {
            create(slicer, at, tuple, edge.node);
        } else if (node_at(slicer, node)->kind == NODE_ENTRY ||
                   node_at(slicer, edge.node)->kind == NODE_ENTRY) { /* a signal */
            interfere(slicer, at, tuple, edge.node);
        } else if (node_at(slicer, edge.node)->kind != NODE_HUB) {
            join(slicer, at, tuple, edge.node);
        } else {
            uint32_t behind = behind_hub(slicer, edge.node);
            for (size_t k = 0; k < slicer->behind_hubs.data[behind].count; k++)
                interfere(slicer, at, tuple, slicer->behind_hubs.data[behind].data[k]);
        }
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

static void begin(struct slicer *slicer, node_id criterion) {
    uint32_t *tuple CLEANUP_FREE = mem_zalloc(slicer->instances, sizeof *tuple);
    uint32_t count = 0;
    const context_id *contexts = NULL;
    mark(slicer, criterion);
    if (node_at(slicer, criterion)->function != NO_ID)
        contexts = order_contexts(slicer->order, node_at(slicer, criterion)->function, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t instance = order_instance(slicer->order, contexts[i]);
        uint32_t point = point_id(slicer, contexts[i], criterion);
        memset(tuple, 0, slicer->instances * sizeof *tuple);
        if (!order_is_many(slicer->order, instance))
            tuple[instance] = point + 1;
        add_state(slicer, point, tuple_id(slicer, tuple));
    }
}

static void run(struct slicer *slicer) {
    for (size_t next = 0; next < slicer->work.count && !slicer->is_too_large; next++) {
        struct state state = slicer->work.data[next];
        if (slicer->options->by_definition) {
            go_by_definition(slicer, state.point, state.tuple);
            leave_thread(slicer, state.point, state.tuple);
            continue;
        }
        uint32_t exits = find_exits(slicer, state.point);
        for (size_t i = 0; i < slicer->exits.data[exits].count && !slicer->is_too_large; i++)
            leave_thread(slicer, slicer->exits.data[exits].data[i], state.tuple);
    }
}

static void slicer_deinit(struct slicer *slicer) {
    free(slicer->is_below);
    free(slicer->leads_away);
    for (size_t i = 0; i < slicer->exits.count; i++)
        VEC_DEINIT(&slicer->exits.data[i]);
    for (size_t i = 0; i < slicer->behind_hubs.count; i++)
        VEC_DEINIT(&slicer->behind_hubs.data[i]);
    VEC_DEINIT(&slicer->exits);
    VEC_DEINIT(&slicer->behind_hubs);
    VEC_DEINIT(&slicer->exit_index);
    VEC_DEINIT(&slicer->points);
    VEC_DEINIT(&slicer->tuples);
    VEC_DEINIT(&slicer->work);
    idmap_deinit(&slicer->point_ids);
    idmap_deinit(&slicer->tuple_ids);
    idmap_deinit(&slicer->states);
    idmap_deinit(&slicer->hub_ids);
}

bool *witness_find(struct order *order, const struct sdg *sdg, const node_id *criteria,
                   size_t count, const struct witness_options *options) {
    size_t nodes = sdg->nodes.count + 1;
    struct slicer slicer = {
        .order = order,
        .sdg = sdg,
        .options = options,
        .edges = options->forward ? &sdg->out : &sdg->in,
        .instances = order_instance_count(order),
        .found = mem_zalloc(nodes, sizeof *slicer.found),
        .is_below = mem_zalloc(nodes, sizeof *slicer.is_below),
        .leads_away = mem_zalloc(nodes, sizeof *slicer.leads_away),
    };
    if (!options->by_definition)
        find_leading(&slicer);
    for (size_t i = 0; i < count; i++)
        begin(&slicer, criteria[i]);
    run(&slicer);
    for (node_id n = 0; n < sdg->nodes.count; n++)
        slicer.found[n] |= sdg->nodes.data[n].kind == NODE_SHARED;
    bool is_too_large = slicer.is_too_large;
    bool *found = slicer.found;
    slicer_deinit(&slicer);
    if (is_too_large)
        free(found);
    return is_too_large ? NULL : found;
}
