/*
 * Cycles among the nodes, and an order for the rest.
 *
 * Tarjan's strongly connected components, without recursion, twice: over copies
 * and shifts together, where a shift within a component moves a pointer round
 * and round and is made to stride; then over copies alone, where all nodes of a
 * component have the same solution and become one node.  Components come out
 * successors first; the order is the reverse.
 *
 * Cost: linear in nodes and edges.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/andersen_impl.h"

struct visit {
    uint32_t node;
    struct bitset_place place; /* in its successors */
    uint32_t constraint;       /* the next one, after the successors */
};

struct tarjan {
    struct andersen *solver;
    bool with_shifts;
    uint32_t counter, components;
    uint32_t *index; /* 0: not seen */
    uint32_t *low;   /* once its component is known: its number */
    uint8_t *is_done;
    id_list stack;
    VEC(struct visit) path;
    id_list finished; /* nodes, component by component */
};

static bool next_successor(struct tarjan *t, struct visit *visit, uint32_t *ret) {
    if (bitset_next(&t->solver->nodes.data[visit->node].successors, &visit->place, ret))
        return true;
    while (t->with_shifts && visit->constraint != NONE) {
        const struct constraint *c = &t->solver->constraints.data[visit->constraint];
        visit->constraint = c->next;
        if (c->kind == CONSTRAINT_SHIFT) {
            *ret = c->node;
            return true;
        }
    }
    return false;
}

static void enter(struct tarjan *t, uint32_t node) {
    t->index[node] = t->low[node] = ++t->counter;
    VEC_PUSH(&t->stack, node);
    VEC_PUSH(&t->path,
             (struct visit){.node = node, .constraint = t->solver->nodes.data[node].first});
}

/* All of the component of `node` is on top of the stack. */
static void leave_component(struct tarjan *t, uint32_t node) {
    uint32_t member;
    do {
        member = t->stack.data[--t->stack.count];
        t->is_done[member] = true;
        t->low[member] = t->components;
        VEC_PUSH(&t->finished, member);
    } while (member != node);
    t->components++;
}

static void walk(struct tarjan *t, uint32_t root) {
    enter(t, root);
    while (t->path.count) {
        struct visit *visit = &t->path.data[t->path.count - 1];
        uint32_t node = visit->node, to;
        if (next_successor(t, visit, &to)) {
            to = andersen_find(t->solver, to);
            if (!t->index[to])
                enter(t, to);
            else if (!t->is_done[to] && t->index[to] < t->low[node])
                t->low[node] = t->index[to];
            continue;
        }
        t->path.count--;
        uint32_t low = t->low[node];
        if (low == t->index[node])
            leave_component(t, node);
        if (t->path.count) {
            uint32_t above = t->path.data[t->path.count - 1].node;
            if (!t->is_done[node] && low < t->low[above])
                t->low[above] = low;
        }
    }
}

static void walk_all(struct tarjan *t) {
    size_t count = t->solver->nodes.count;
    t->index = mem_zalloc(count, sizeof *t->index);
    t->low = mem_zalloc(count, sizeof *t->low);
    t->is_done = mem_zalloc(count, 1);
    for (uint32_t i = 0; i < count; i++)
        if (t->solver->nodes.data[i].parent == i && !t->index[i])
            walk(t, i);
}

static void deinit(struct tarjan *t) {
    free(t->index);
    free(t->low);
    free(t->is_done);
    VEC_DEINIT(&t->stack);
    VEC_DEINIT(&t->path);
    VEC_DEINIT(&t->finished);
}

/* What was moved already by the offset alone is moved once more. */
static void make_stride(struct andersen *solver, uint32_t node, uint32_t id) {
    struct andersen_shift *shift = &solver->constraints.data[id].shift;
    solver->constraints.data[id].is_cyclic = true;
    shift->stride = gcd(shift->stride, magnitude(shift->offset));
    shift->extent = 0;
    solver->nodes.data[node].fresh = sets_union(solver->sets, solver->nodes.data[node].fresh,
                                                solver->nodes.data[node].points, NULL);
}

static void stride_cycles(struct andersen *solver) {
    struct tarjan t = {.solver = solver, .with_shifts = true};
    walk_all(&t);
    for (uint32_t node = 0; node < solver->nodes.count; node++) {
        if (solver->nodes.data[node].parent != node)
            continue;
        for (uint32_t i = solver->nodes.data[node].first; i != NONE;
             i = solver->constraints.data[i].next) {
            const struct constraint *c = &solver->constraints.data[i];
            if (c->kind == CONSTRAINT_SHIFT && !c->is_cyclic &&
                t.low[andersen_find(solver, c->node)] == t.low[node])
                make_stride(solver, node, i);
        }
    }
    deinit(&t);
}

void andersen_sort(struct andersen *solver) {
    stride_cycles(solver);
    struct tarjan t = {.solver = solver};
    walk_all(&t);
    solver->order.count = 0;
    for (size_t i = t.finished.count; i--;) {
        uint32_t node = t.finished.data[i];
        VEC_PUSH(&solver->order, node);
        if (i && t.low[t.finished.data[i - 1]] == t.low[node])
            andersen_merge(solver, t.finished.data[i - 1], node);
    }
    /* Nodes that were merged before stay in the list, as nothing. */
    deinit(&t);
    uint8_t *listed CLEANUP_FREE = mem_zalloc(solver->nodes.count + 1, 1);
    for (size_t i = 0; i < solver->order.count; i++)
        listed[solver->order.data[i]] = true;
    for (uint32_t i = 0; i < solver->nodes.count; i++)
        if (!listed[i])
            VEC_PUSH(&solver->order, i);
}
