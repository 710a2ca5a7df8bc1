/* An element of an array in a struct behind a parameter is apart from the fields beside it. */
#include <stdio.h>

struct state {
    int first;
    int elements[4];
    int last;
};

static void fill(struct state *state, int at, int value) {
    state->elements[at & 3] = value;                       /* drop */
}

static void set(struct state *state, int value) {
    state->first = value;                                  /* keep */
    fill(state, value, value + 1);                         /* drop */
    state->last = value + 2;                               /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    struct state state = {0};
    set(&state, argc + 6);                                 /* keep */
    fill(&state, argc, argc);                              /* drop */
    int first = state.first;                               /* keep */
    printf("slice: %d\n", first);                          /* slice: first */
    return state.elements[0] + state.last == 0;
}
