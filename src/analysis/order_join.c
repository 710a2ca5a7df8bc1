/*
 * For which thread does a join wait?  order.h.
 *
 * The handle is a number, so points-to analysis knows nothing of it.  It is followed back
 * through the dependence graph to the calls that made it: pthread_create() writes it where
 * its first argument points to.
 */
#include "analysis/order_impl.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct order *order;
    struct bitset seen;
    VEC(node_id) work;
    struct join *join;
};

static void look_at(struct search *search, node_id node) {
    if (node != NO_ID && bitset_add(&search->seen, node))
        VEC_PUSH(&search->work, node);
}

static bool is_made_here(struct search *search, node_id node) {
    const struct sdg *sdg = search->order->sdg;
    const struct program *program = search->order->program;
    if (sdg->nodes.data[node].kind != NODE_INSTRUCTION ||
        !(program->instructions.data[node].flags & INSTRUCTION_CALL))
        return false;
    if (threads_is_create(program, sdg->pta, node)) {
        VEC_PUSH(&search->join->creators, node);
        return true;
    }
    uint32_t count;
    effects_callees(sdg->effects, node, &count);
    if (!count || !effects_is_direct(sdg->effects, node))
        search->join->is_known = false; /* pthread_self(), or what nobody knows */
    return !count;
}

/* What a load gets, not where from. */
static bool is_address(const struct search *search, node_id node, node_id from) {
    const struct sdg *sdg = search->order->sdg;
    if (sdg->nodes.data[node].kind != NODE_INSTRUCTION)
        return false;
    const struct instruction *load = &search->order->program->instructions.data[node];
    return load->opcode == OP_LOAD && from == sdg_node_of_value(sdg, load->read_at);
}

static void go_back(struct search *search, node_id node) {
    const struct sdg *sdg = search->order->sdg;
    for (uint64_t i = sdg->in.start[node]; i < sdg->in.start[node + 1]; i++) {
        struct sdg_edge edge = sdg->in.edges[i];
        if (edge.kind == EDGE_HUB || edge.kind == EDGE_INTERFERENCE)
            search->join->is_known = false; /* any thread may have written it */
        if ((edge.kind == EDGE_DATA || edge.kind == EDGE_PARAMETER_IN ||
             edge.kind == EDGE_PARAMETER_OUT) &&
            !is_address(search, node, edge.node))
            look_at(search, edge.node);
    }
}

static bool always_joins(const struct order *order, instruction_id join) {
    static const char *const names[] = {"pthread_join", "thrd_join", NULL};
    return threads_only_calls(order->program, order->sdg->pta, join, names);
}

static void find_join(struct order *order, instruction_id at) {
    const struct instruction *call = &order->program->instructions.data[at];
    struct join join = {.at = at, .is_known = call->operands.count > 0};
    struct search search = {.order = order, .join = &join};
    if (join.is_known)
        look_at(&search,
                sdg_node_of_value(order->sdg, order->program->operands.data[call->operands.first]));
    while (search.work.count && join.is_known) {
        node_id node = search.work.data[--search.work.count];
        if (!is_made_here(&search, node))
            go_back(&search, node);
    }
    join.is_known &= join.creators.count > 0;
    join.is_sure = join.is_known && join.creators.count == 1 && always_joins(order, at);
    bitset_deinit(&search.seen);
    VEC_DEINIT(&search.work);
    VEC_PUSH(&order->joins, join);
}

void order_find_joins(struct order *order) {
    for (instruction_id i = 0; i < order->program->instructions.count; i++)
        if (order->program->instructions.data[i].flags & INSTRUCTION_CALL &&
            threads_is_join(order->program, order->sdg->pta, i))
            find_join(order, i);
}
