/*
 * Solving inclusion constraints; andersen.h says what they mean.
 *
 * Wave propagation (Pereira and Berlin, CGO 2009): in rounds, nodes are visited
 * in topological order, and each hands on to its successors what is new in it;
 * then loads and stores turn what is new in their address into edges between
 * cells and values.  Cycles of copies are found by Tarjan's algorithm and merged
 * when enough edges have come since the last time (andersen_sort.c).
 *
 * Sets are kept once each, and unions remembered (sets.c).
 *
 * Cost: cubic in theory; a few seconds for SQLite, 210,000 nodes whose sets have 3,400 locations
 * on average; docs/analysis.md.
 */
#include <stdlib.h>

#include "analysis/andersen_impl.h"

struct andersen *andersen_new(andersen_hook *hook, void *context) {
    struct andersen *solver = mem_zalloc(1, sizeof *solver);
    solver->hook = hook;
    solver->sets = sets_new();
    solver->moved.is_empty = true;
    solver->sort_every = 16;
    solver->most_targets = MOST_TARGETS;
    solver->smallest_memo = 16;
    solver->context = context;
    return solver;
}

void andersen_free(struct andersen *solver) {
    if (!solver)
        return;
    for (size_t i = 0; i < solver->nodes.count; i++)
        bitset_deinit(&solver->nodes.data[i].successors);
    VEC_DEINIT(&solver->nodes);
    VEC_DEINIT(&solver->constraints);
    VEC_DEINIT(&solver->objects);
    VEC_DEINIT(&solver->locations);
    VEC_DEINIT(&solver->cells);
    VEC_DEINIT(&solver->order);
    bitset_collect_deinit(&solver->moved);
    free(solver->memos);
    sets_free(solver->sets);
    free(solver->location_ids.ids);
    free(solver->cell_ids.ids);
    free(solver);
}

uint32_t andersen_nodes(struct andersen *solver, uint32_t count) {
    uint32_t first = (uint32_t)solver->nodes.count;
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&solver->nodes, (struct node){.parent = first + i, .first = NONE, .last = NONE});
    return first;
}

uint32_t andersen_node(struct andersen *solver) { return andersen_nodes(solver, 1); }

uint32_t andersen_find(const struct andersen *solver, uint32_t node) {
    struct node *nodes = solver->nodes.data;
    while (nodes[node].parent != node) {
        nodes[node].parent = nodes[nodes[node].parent].parent;
        node = nodes[node].parent;
    }
    return node;
}

void andersen_include(struct andersen *solver, uint32_t to, uint32_t points) {
    struct node *node = &solver->nodes.data[andersen_find(solver, to)];
    uint32_t news;
    node->points = sets_union(solver->sets, node->points, points, &news);
    node->fresh = sets_union(solver->sets, node->fresh, news, NULL);
}

static void add_location(struct andersen *solver, uint32_t to, uint32_t location) {
    struct node *node = &solver->nodes.data[andersen_find(solver, to)];
    uint32_t points = sets_add(solver->sets, node->points, location);
    if (points != node->points)
        node->fresh = sets_add(solver->sets, node->fresh, location);
    node->points = points;
}

/* What only one of two nodes had is news to what hangs on the other. */
static void merge_points(struct andersen *solver, struct node *a, const struct node *b) {
    uint32_t only_a, only_b, both;
    both = sets_union(solver->sets, a->points, b->points, &only_b);
    sets_union(solver->sets, b->points, a->points, &only_a);
    a->points = both;
    a->fresh = sets_union(solver->sets, a->fresh, b->fresh, NULL);
    a->fresh = sets_union(solver->sets, a->fresh, only_a, NULL);
    a->fresh = sets_union(solver->sets, a->fresh, only_b, NULL);
}

void andersen_merge(struct andersen *solver, uint32_t into, uint32_t other) {
    into = andersen_find(solver, into);
    other = andersen_find(solver, other);
    if (into == other)
        return;
    struct node *a = &solver->nodes.data[into], *b = &solver->nodes.data[other];
    merge_points(solver, a, b);
    bitset_union(&a->successors, &b->successors);
    if (a->first == NONE)
        a->first = b->first;
    else
        solver->constraints.data[a->last].next = b->first;
    if (b->last != NONE)
        a->last = b->last;
    b->first = b->last = NONE;
    b->points = b->fresh = SETS_EMPTY;
    bitset_deinit(&b->successors);
    b->parent = into;
    solver->merged++;
}

void andersen_address(struct andersen *solver, uint32_t to, uint32_t object, int64_t offset) {
    add_location(solver, to,
                 andersen_place(solver, (struct wide_place){.object = object, .base = offset}));
}

void andersen_copy(struct andersen *solver, uint32_t to, uint32_t from) {
    to = andersen_find(solver, to);
    from = andersen_find(solver, from);
    if (to == from || !bitset_add(&solver->nodes.data[from].successors, to))
        return;
    solver->edges++;
    if (solver->is_solving)
        andersen_include(solver, to, solver->nodes.data[from].points);
}

/* Makes `node` a part of the hub of an access. */
static void join_hub(struct andersen *solver, uint32_t id, uint32_t node) {
    struct constraint constraint = solver->constraints.data[id];
    if (constraint.hub != NONE) {
        andersen_merge(solver, constraint.hub, node);
        return;
    }
    solver->constraints.data[id].hub = node;
    if (constraint.kind == CONSTRAINT_LOAD)
        andersen_copy(solver, constraint.node, node);
    else
        andersen_copy(solver, node, constraint.node);
}

/* The cells of an access that can go to very many become one node: an edge for each
 * of so many accesses and cells would say the same at far greater cost. */
static void merge_touched(struct andersen *solver, uint32_t id, uint32_t location) {
    struct constraint constraint = solver->constraints.data[id];
    uint32_t cells[MOST_TOUCHED];
    uint32_t count = andersen_touched(solver, location, constraint.offset, constraint.size, cells);
    for (uint32_t i = 0; i < count; i++) {
        struct cell cell = solver->cells.data[cells[i]];
        join_hub(solver, id, constraint.kind == CONSTRAINT_LOAD ? cell.read : cell.written);
    }
}

static void apply_access(struct andersen *solver, const struct constraint *constraint,
                         uint32_t location) {
    uint32_t cells[MOST_TOUCHED];
    uint32_t count =
        andersen_touched(solver, location, constraint->offset, constraint->size, cells);
    for (uint32_t i = 0; i < count; i++) {
        struct cell cell = solver->cells.data[cells[i]];
        if (constraint->kind == CONSTRAINT_LOAD)
            andersen_copy(solver, constraint->node, cell.read);
        else
            andersen_copy(solver, cell.written, constraint->node);
    }
}

static void apply_shift(struct andersen *solver, const struct constraint *shift,
                        uint32_t locations) {
    bool is_known = false;
    struct memo *memo = andersen_memo(solver, shift, locations, &is_known);
    if (is_known) {
        andersen_include(solver, shift->node, *andersen_memo_set(memo));
        return;
    }
    const struct bitset *from = sets_get(solver->sets, locations);
    BITSET_EACH(location, from)
    bitset_collect_add(&solver->moved, andersen_moved(solver, location, &shift->shift));
    struct bitset bits = bitset_collect_take(&solver->moved);
    uint32_t moved = sets_take(solver->sets, &bits);
    andersen_include(solver, shift->node, moved);
    if (memo)
        *andersen_memo_set(memo) = moved;
}

/* Hooks and new cells may move the arrays: a constraint is copied first. */
static void apply(struct andersen *solver, uint32_t id, uint32_t locations, bool is_large) {
    struct constraint constraint = solver->constraints.data[id];
    if (constraint.kind == CONSTRAINT_SHIFT) {
        apply_shift(solver, &constraint, locations);
        return;
    }
    bool is_known = false;
    struct memo *memo = is_large && constraint.kind != CONSTRAINT_WATCH
                            ? andersen_memo(solver, &constraint, locations, &is_known)
                            : NULL;
    if (is_known && *andersen_memo_hub(memo) != NONE) {
        join_hub(solver, id, *andersen_memo_hub(memo));
        return;
    }
    const struct bitset *set = sets_get(solver->sets, locations);
    BITSET_EACH(location, set) {
        bool is_constant =
            solver->objects.data[solver->locations.data[location].object].flags & OBJECT_CONSTANT;
        if (constraint.kind == CONSTRAINT_WATCH)
            solver->hook(solver->context, constraint.node, location);
        else if (is_constant && constraint.kind == CONSTRAINT_STORE)
            continue;
        else if (is_large && !is_constant)
            merge_touched(solver, id, location);
        else
            apply_access(solver, &constraint, location);
    }
    if (memo)
        *andersen_memo_hub(memo) = solver->constraints.data[id].hub;
}

static void add_constraint(struct andersen *solver, uint32_t node, struct constraint constraint) {
    node = andersen_find(solver, node);
    uint32_t id = (uint32_t)solver->constraints.count;
    constraint.next = constraint.hub = NONE;
    VEC_PUSH(&solver->constraints, constraint);
    struct node *own = &solver->nodes.data[node];
    if (own->first == NONE)
        own->first = id;
    else
        solver->constraints.data[own->last].next = id;
    own->last = id;
    if (solver->is_solving && own->points != SETS_EMPTY)
        apply(solver, id, own->points, false);
}

void andersen_shift_by(struct andersen *solver, uint32_t to, uint32_t from,
                       const struct andersen_shift *by) {
    if (!by->offset && !by->stride && !by->array_size) {
        andersen_copy(solver, to, from);
        return;
    }
    solver->edges++;
    add_constraint(solver, from,
                   (struct constraint){.kind = CONSTRAINT_SHIFT, .node = to, .shift = *by});
}

void andersen_shift(struct andersen *solver, uint32_t to, uint32_t from, int64_t offset,
                    uint64_t stride, uint64_t extent) {
    andersen_shift_by(solver, to, from,
                      &(struct andersen_shift){.offset = offset,
                                               .stride = stride,
                                               .extent = extent,
                                               .leaves = stride == ANYWHERE && !extent});
}

void andersen_load(struct andersen *solver, uint32_t to, uint32_t address, int64_t offset,
                   uint32_t size) {
    add_constraint(
        solver, address,
        (struct constraint){.kind = CONSTRAINT_LOAD, .node = to, .offset = offset, .size = size});
}

void andersen_store(struct andersen *solver, uint32_t address, uint32_t from, int64_t offset,
                    uint32_t size) {
    add_constraint(solver, address,
                   (struct constraint){
                       .kind = CONSTRAINT_STORE, .node = from, .offset = offset, .size = size});
}

void andersen_watch(struct andersen *solver, uint32_t node, uint32_t datum) {
    add_constraint(solver, node, (struct constraint){.kind = CONSTRAINT_WATCH, .node = datum});
}

/* What is new in a node, for its constraints. */
struct news {
    uint32_t node, locations;
};
typedef VEC(struct news) news_list;

static void apply_shifts(struct andersen *solver, uint32_t node, uint32_t locations,
                         bool *ret_others) {
    for (uint32_t i = solver->nodes.data[node].first; i != NONE;
         i = solver->constraints.data[i].next) {
        if (solver->constraints.data[i].kind == CONSTRAINT_SHIFT)
            apply(solver, i, locations, false);
        else
            *ret_others = true;
    }
}

/* Hands on what is new in one node, along copies and shifts. */
static void propagate(struct andersen *solver, uint32_t id, news_list *news) {
    struct node *node = &solver->nodes.data[id];
    struct news own = {id, node->fresh};
    node->fresh = SETS_EMPTY;
    BITSET_EACH(to, &node->successors) {
        uint32_t target = andersen_find(solver, to);
        if (target != id)
            andersen_include(solver, target, own.locations);
    }
    bool others = false;
    apply_shifts(solver, id, own.locations, &others);
    if (others)
        VEC_PUSH(news, own);
}

static void apply_others(struct andersen *solver, const struct news *news) {
    bool is_large =
        sets_count(solver->sets, solver->nodes.data[news->node].points) > solver->most_targets;
    /* The node may be merged meanwhile, and its list grow: both are found by ids. */
    for (uint32_t i = solver->nodes.data[news->node].first; i != NONE;
         i = solver->constraints.data[i].next)
        if (solver->constraints.data[i].kind != CONSTRAINT_SHIFT)
            apply(solver, i, news->locations, is_large);
}

/* Between rounds, all sets that are in use are those of nodes, and those that are remembered. */
static void sweep(struct andersen *solver) {
    for (size_t i = 0; i < solver->nodes.count; i++) {
        sets_mark(solver->sets, solver->nodes.data[i].points);
        sets_mark(solver->sets, solver->nodes.data[i].fresh);
    }
    andersen_memo_mark(solver);
    sets_sweep(solver->sets);
}

static bool round_of(struct andersen *solver) {
    news_list news = {0};
    bool any = false;
    /* Nodes that came after the last sort are not in the order yet. */
    for (uint32_t i = (uint32_t)solver->order.count; i < solver->nodes.count; i++)
        VEC_PUSH(&solver->order, i);
    for (size_t i = 0; i < solver->order.count; i++) {
        uint32_t id = solver->order.data[i];
        if (solver->nodes.data[id].parent != id || solver->nodes.data[id].fresh == SETS_EMPTY)
            continue;
        any = true;
        propagate(solver, id, &news);
    }
    for (size_t i = 0; i < news.count; i++) {
        news.data[i].node = andersen_find(solver, news.data[i].node);
        apply_others(solver, &news.data[i]);
    }
    VEC_DEINIT(&news);
    solver->rounds++;
    return any;
}

bool andersen_solve(struct andersen *solver, uint32_t most_locations) {
    uint32_t since = solver->sort_every;
    solver->is_solving = true;
    for (;;) {
        uint64_t grown = solver->edges - solver->edges_at_sort;
        if (grown > solver->edges_at_sort / 32 + 64 || (grown && since >= solver->sort_every)) {
            andersen_sort(solver);
            solver->edges_at_sort = solver->edges;
            since = 0;
        }
        since++;
        if (sets_are_many(solver->sets))
            sweep(solver);
        if (solver->locations.count > most_locations)
            return false;
        if (!round_of(solver)) {
            /* A cycle may still wait for its shifts to stride. */
            if (solver->edges == solver->edges_at_sort)
                return true;
            since = solver->sort_every;
        }
    }
}

uint32_t andersen_set(const struct andersen *solver, uint32_t node) {
    return andersen_find(solver, node);
}

const struct bitset *andersen_points_to(const struct andersen *solver, uint32_t node) {
    return sets_get(solver->sets, solver->nodes.data[andersen_find(solver, node)].points);
}

struct memory_location andersen_location(const struct andersen *solver, uint32_t location) {
    return solver->locations.data[location];
}

uint32_t andersen_node_count(const struct andersen *solver) {
    return (uint32_t)solver->nodes.count;
}

uint32_t andersen_location_count(const struct andersen *solver) {
    return (uint32_t)solver->locations.count;
}

uint32_t andersen_fold(const struct andersen *solver, uint32_t object) {
    const struct object *of = &solver->objects.data[object];
    return of->flags & OBJECT_ONE_CELL ? ANYWHERE : of->fold;
}

struct andersen_figures andersen_figures(const struct andersen *solver) {
    struct andersen_figures figures = {
        .nodes = (uint32_t)solver->nodes.count,
        .merged = solver->merged,
        .objects = (uint32_t)solver->objects.count,
        .locations = (uint32_t)solver->locations.count,
        .cells = (uint32_t)solver->cells.count,
        .collapsed = solver->collapsed,
        .rounds = solver->rounds,
        .edges = solver->edges,
        .constraints = solver->constraints.count,
    };
    for (size_t i = 0; i < solver->nodes.count; i++)
        figures.elements += sets_count(solver->sets, solver->nodes.data[i].points);
    return figures;
}
