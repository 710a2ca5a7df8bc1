/*
 * Dependences between lines; dependences.h.
 *
 * From all nodes of a line, backward through nodes that have no line, to the first that have
 * one.  As in slices, a way that went down into a callee does not go up to another of its
 * callers; what goes through a call altogether is on the line of the call anyway, so summary
 * edges are left out.
 *
 * Cost: for each line, the nodes without lines around it; that is why there are junctions.
 * Imprecise where a slice is not: a dependence is shown if both of its ends are in the slice,
 * also if the way that brought them in is another one.
 */
#include "slice/dependences.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Ways through a node, from which on it is a junction. */
    MOST_WAYS = 256,
    PHASES = 2, /* 0: may go up to callers; 1: has gone down */
};

/* A line that a node depends on for another reason than the graph's: an inlined call, the
 * initial value of a global. */
struct attachment {
    node_id node;
    uint32_t line;
    enum line_dependence_kind kind;
};

struct stop {
    node_id node;
    uint8_t phase, kind;
};

struct walk {
    const struct sdg *sdg;
    const bool *in;
    const slice_lines *lines;
    const struct dependence_options *options;

    slice_lines nodes;                  /* with every node of a line */
    uint32_t *line_of;                  /* by node: its line, or NO_ID */
    VEC(struct attachment) attachments; /* ascending by node */
    uint32_t *attached;                 /* by node: the first of its attachments, or NO_ID */

    uint32_t *junctions[PHASES];    /* by node: its vertex, or NO_ID */
    VEC(struct stop) junction_list; /* by vertex, behind the lines */

    uint8_t *seen; /* by node: a bit for each phase and kind */
    VEC(struct stop) work;
    VEC(uint8_t) kinds; /* by vertex: how the one that is looked at depends on it */
    VEC(uint32_t) found;
    VEC(struct line_dependence) all;
};

static uint32_t find_line(const slice_lines *lines, file_id file, uint32_t line) {
    size_t low = 0, high = lines->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct slice_line *at = &lines->data[middle];
        if (at->file < file || (at->file == file && at->line < line))
            low = middle + 1;
        else
            high = middle;
    }
    bool is_it =
        low < lines->count && lines->data[low].file == file && lines->data[low].line == line;
    return is_it ? (uint32_t)low : NO_ID;
}

/* Was the code of this node inlined into the line? */
static bool is_inlined_at(const struct sdg *sdg, node_id node, const struct slice_line *line) {
    const struct program *program = sdg->program;
    if (sdg->nodes.data[node].kind == NODE_FORMAL_IN)
        return false;
    location_id at = program->instructions.data[sdg->nodes.data[node].of].location;
    while (at != NO_ID && (at = program->locations.data[at].inlined_at) != NO_ID)
        if (program->locations.data[at].file == line->file &&
            program->locations.data[at].line == line->line)
            return true;
    return false;
}

static int compare_attachments(const void *a, const void *b) {
    const struct attachment *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* What is on which line, and which lines are there for something on another one. */
static void place_nodes(struct walk *walk) {
    size_t count = walk->sdg->nodes.count;
    walk->line_of = mem_alloc(count * sizeof *walk->line_of + 1);
    walk->attached = mem_alloc(count * sizeof *walk->attached + 1);
    memset(walk->line_of, 0xff, count * sizeof *walk->line_of);
    memset(walk->attached, 0xff, count * sizeof *walk->attached);
    slice_find_line_nodes(walk->sdg, walk->in, &walk->nodes);
    for (size_t i = 0; i < walk->nodes.count; i++) {
        const struct slice_line *at = &walk->nodes.data[i];
        uint32_t line = find_line(walk->lines, at->file, at->line), own_line;
        file_id own_file;
        if (slice_line_of(walk->sdg, at->node, &own_file, &own_line) && own_file == at->file &&
            own_line == at->line)
            walk->line_of[at->node] = line;
        else
            VEC_PUSH(&walk->attachments, (struct attachment){at->node, line,
                                                             is_inlined_at(walk->sdg, at->node, at)
                                                                 ? LINE_DEPENDENCE_CALL
                                                                 : LINE_DEPENDENCE_DATA});
    }
    if (walk->attachments.count)
        qsort(walk->attachments.data, walk->attachments.count, sizeof *walk->attachments.data,
              compare_attachments);
    for (size_t i = walk->attachments.count; i-- > 0;)
        walk->attached[walk->attachments.data[i].node] = (uint32_t)i;
}

static bool is_junction(const struct sdg *sdg, node_id node) {
    uint64_t to = sdg->in.start[node + 1] - sdg->in.start[node];
    uint64_t from = sdg->out.start[node + 1] - sdg->out.start[node];
    return to > 1 && from > 1 && to * from > MOST_WAYS;
}

static uint32_t junction_of(struct walk *walk, node_id node, uint8_t phase) {
    uint32_t *vertex = &walk->junctions[phase][node];
    if (*vertex == NO_ID) {
        *vertex = (uint32_t)(walk->lines->count + walk->junction_list.count);
        VEC_PUSH(&walk->junction_list, (struct stop){node, phase, 0});
        VEC_PUSH(&walk->kinds, 0);
    }
    return *vertex;
}

static void find_vertex(struct walk *walk, uint32_t vertex, uint8_t kind) {
    if (!walk->kinds.data[vertex])
        VEC_PUSH(&walk->found, vertex);
    walk->kinds.data[vertex] |= (uint8_t)(1 << kind);
}

/* Comes to a node: to a line or a junction, or to one that is to be passed through. */
static void come_to(struct walk *walk, struct stop stop) {
    if (walk->line_of[stop.node] != NO_ID) {
        find_vertex(walk, walk->line_of[stop.node], stop.kind);
        return;
    }
    uint8_t bit = (uint8_t)(1 << (stop.phase * LINE_DEPENDENCE_KIND_COUNT + stop.kind));
    if (walk->seen[stop.node] & bit)
        return;
    if (is_junction(walk->sdg, stop.node)) {
        find_vertex(walk, junction_of(walk, stop.node, stop.phase), stop.kind);
        return;
    }
    walk->seen[stop.node] |= bit;
    VEC_PUSH(&walk->work, stop);
}

/* Where an edge leads, backward; false if there is none. */
static bool go_over(const struct walk *walk, struct stop from, struct sdg_edge edge,
                    struct stop *ret) {
    enum line_dependence_kind kind = LINE_DEPENDENCE_DATA;
    *ret = (struct stop){edge.node, from.phase, from.kind};
    switch (edge.kind) {
    case EDGE_SUMMARY:
        return false;
    case EDGE_CONTROL:
        kind = LINE_DEPENDENCE_CONTROL;
        break;
    case EDGE_CALL:
        kind = LINE_DEPENDENCE_CALL;
        break;
    case EDGE_INTERFERENCE:
        kind = LINE_DEPENDENCE_THREADS;
        ret->phase = 0;
        break;
    case EDGE_HUB:
        ret->phase = 0;
        break;
    case EDGE_PARAMETER_OUT:
        ret->phase = 1;
        break;
    default:
        break;
    }
    if ((edge.kind == EDGE_CALL || edge.kind == EDGE_PARAMETER_IN) && from.phase == 1)
        return false;
    if (walk->options->data_only && (edge.kind == EDGE_CONTROL || edge.kind == EDGE_CALL))
        return false;
    if (walk->options->no_threads && edge.kind == EDGE_INTERFERENCE)
        return false;
    if (kind > ret->kind)
        ret->kind = (uint8_t)kind;
    /* A jump is in without its block; one that ends the program, without the beginning of its
     * function and the call of that (lines.h). */
    uint8_t passed = walk->sdg->nodes.data[edge.node].kind;
    return walk->in[edge.node] || passed == NODE_BLOCK || passed == NODE_ENTRY ||
           walk->line_of[edge.node] != NO_ID;
}

static void visit(struct walk *walk, struct stop at) {
    for (uint32_t i = walk->attached[at.node];
         i < walk->attachments.count && walk->attachments.data[i].node == at.node; i++) {
        const struct attachment *attachment = &walk->attachments.data[i];
        find_vertex(walk, attachment->line,
                    attachment->kind > at.kind ? (uint8_t)attachment->kind : at.kind);
    }
    const struct sdg_edges *lists = &walk->sdg->in;
    for (uint64_t i = lists->start[at.node]; i < lists->start[at.node + 1]; i++) {
        struct stop next;
        if (go_over(walk, at, lists->edges[i], &next))
            come_to(walk, next);
    }
}

static int compare_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Goes on from what work holds, and writes down what the vertex depends on. */
static void finish_vertex(struct walk *walk, uint32_t vertex) {
    for (size_t next = 0; next < walk->work.count; next++)
        visit(walk, walk->work.data[next]);
    for (size_t i = 0; i < walk->work.count; i++)
        walk->seen[walk->work.data[i].node] = 0;
    walk->work.count = 0;
    if (walk->found.count)
        qsort(walk->found.data, walk->found.count, sizeof *walk->found.data, compare_ids);
    for (size_t i = 0; i < walk->found.count; i++) {
        uint32_t on = walk->found.data[i];
        if (on != vertex)
            VEC_PUSH(&walk->all, (struct line_dependence){on, walk->kinds.data[on]});
        walk->kinds.data[on] = 0;
    }
    walk->found.count = 0;
}

static void walk_all(struct walk *walk, struct line_dependences *ret) {
    VEC(uint64_t) starts = {0};
    size_t node = 0;
    for (uint32_t line = 0; line < walk->lines->count; line++) {
        const struct slice_line *at = &walk->lines->data[line];
        VEC_PUSH(&starts, walk->all.count);
        for (; node < walk->nodes.count && walk->nodes.data[node].file == at->file &&
               walk->nodes.data[node].line == at->line;
             node++)
            if (walk->line_of[walk->nodes.data[node].node] == line)
                VEC_PUSH(&walk->work, (struct stop){walk->nodes.data[node].node, 0, 0});
        finish_vertex(walk, line);
    }
    /* There are more while these are gone through. */
    for (uint32_t i = 0; i < walk->junction_list.count; i++) {
        VEC_PUSH(&starts, walk->all.count);
        VEC_PUSH(&walk->work, walk->junction_list.data[i]);
        finish_vertex(walk, (uint32_t)walk->lines->count + i);
    }
    VEC_PUSH(&starts, walk->all.count);
    *ret = (struct line_dependences){(uint32_t)starts.count - 1, starts.data, walk->all.data};
}

void dependences_find(const struct sdg *sdg, const bool *in, const slice_lines *lines,
                      const struct dependence_options *options, struct line_dependences *ret) {
    struct walk walk = {.sdg = sdg, .in = in, .lines = lines, .options = options};
    place_nodes(&walk);
    size_t count = sdg->nodes.count;
    for (int phase = 0; phase < PHASES; phase++) {
        walk.junctions[phase] = mem_alloc(count * sizeof *walk.junctions[phase] + 1);
        memset(walk.junctions[phase], 0xff, count * sizeof *walk.junctions[phase]);
    }
    walk.seen = mem_zalloc(count + 1, sizeof *walk.seen);
    for (size_t i = 0; i < lines->count; i++)
        VEC_PUSH(&walk.kinds, 0);
    walk_all(&walk, ret);
    VEC_DEINIT(&walk.nodes);
    VEC_DEINIT(&walk.attachments);
    VEC_DEINIT(&walk.junction_list);
    VEC_DEINIT(&walk.work);
    VEC_DEINIT(&walk.kinds);
    VEC_DEINIT(&walk.found);
    for (int phase = 0; phase < PHASES; phase++)
        free(walk.junctions[phase]);
    free(walk.seen);
    free(walk.line_of);
    free(walk.attached);
}

void dependences_deinit(struct line_dependences *dependences) {
    free(dependences->start);
    free(dependences->data);
    *dependences = (struct line_dependences){0};
}
