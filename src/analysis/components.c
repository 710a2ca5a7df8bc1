/*
 * Tarjan's algorithm without recursion; components.h.  Cost: linear.
 */
#include "analysis/components.h"

#include "base/mem.h"

struct open_node {
    uint32_t node, edge; /* the next to be looked at */
};

struct search {
    const uint32_t *start, *targets;
    uint32_t *component; /* UINT32_MAX: none yet */
    uint32_t *next_member;
    uint32_t *number, *low;
    uint32_t numbered, count;
    VEC(struct open_node) path;
    VEC(uint32_t) open;
};

static void enter(struct search *search, uint32_t node) {
    search->number[node] = search->low[node] = ++search->numbered;
    VEC_PUSH(&search->open, node);
    VEC_PUSH(&search->path, (struct open_node){node, search->start[node]});
}

static void lower(uint32_t *low, uint32_t number) {
    if (number < *low)
        *low = number;
}

/* All that can be reached from the root. */
static void visit(struct search *search, uint32_t root) {
    enter(search, root);
    while (search->path.count) {
        struct open_node *top = &search->path.data[search->path.count - 1];
        uint32_t node = top->node;
        if (top->edge < search->start[node + 1]) {
            uint32_t to = search->targets[top->edge++];
            if (!search->number[to])
                enter(search, to);
            else if (search->component[to] == UINT32_MAX)
                lower(&search->low[node], search->number[to]);
            continue;
        }
        if (--search->path.count)
            lower(&search->low[search->path.data[search->path.count - 1].node], search->low[node]);
        if (search->low[node] != search->number[node])
            continue;
        uint32_t member;
        do {
            member = search->open.data[--search->open.count];
            search->component[member] = search->count;
            *search->next_member++ = member;
        } while (member != node);
        search->count++;
    }
}

uint32_t components_find(uint32_t node_count, const uint32_t *start, const uint32_t *targets,
                         uint32_t *component, uint32_t *members) {
    struct search search = {
        .start = start,
        .targets = targets,
        .component = component,
        .next_member = members,
        .number = mem_zalloc(node_count + 1, sizeof *search.number),
        .low = mem_zalloc(node_count + 1, sizeof *search.low),
    };
    for (uint32_t n = 0; n < node_count; n++)
        component[n] = UINT32_MAX;
    for (uint32_t n = 0; n < node_count; n++)
        if (!search.number[n])
            visit(&search, n);
    free(search.number);
    free(search.low);
    VEC_DEINIT(&search.path);
    VEC_DEINIT(&search.open);
    return search.count;
}
