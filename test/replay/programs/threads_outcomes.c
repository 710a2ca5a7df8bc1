/*
 * Tiny programs with threads, as lists of steps.
 *
 *   threads_outcomes PROGRAM             runs it with real threads
 *   threads_outcomes PROGRAM all         every order of all steps, by trying them: prints
 *                                        each outcome that one of them has, sorted
 *
 * Steps work on plain shared variables and on registers of the thread's own.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_threads = 3, most_steps = 8, variables = 3, registers = 2, most_outcomes = 200 };

enum kind { END, LOAD, STORE, ADD, SET, LOCK, UNLOCK };
struct step {
    enum kind kind;
    int to, from; /* LOAD register, variable; STORE variable, register; ADD, SET register, number */
};

static const struct tiny {
    const char *name;
    struct step threads[most_threads][most_steps];
} programs[] = {
    {"counter",
     {{{LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}}, {{LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}}}},
    {"counter3",
     {{{LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}},
      {{LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}},
      {{LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}}}},
    {"locked",
     {{{LOCK, 0, 0}, {LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}, {UNLOCK, 0, 0}},
      {{LOCK, 0, 0}, {LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}, {UNLOCK, 0, 0}}}},
    {"exchange", /* each stores to one and looks at the other */
     {{{SET, 0, 1}, {STORE, 0, 0}, {LOAD, 1, 1}}, {{SET, 0, 1}, {STORE, 1, 0}, {LOAD, 1, 0}}}},
    {"message",
     {{{SET, 0, 7}, {STORE, 0, 0}, {SET, 0, 1}, {STORE, 1, 0}}, {{LOAD, 0, 1}, {LOAD, 1, 0}}}},
    {"torn", /* two variables that belong together */
     {{{SET, 0, 1}, {STORE, 0, 0}, {STORE, 1, 0}}, {{SET, 0, 2}, {STORE, 0, 0}, {STORE, 1, 0}}}},
    {"half", /* a lock on one side only */
     {{{LOCK, 0, 0}, {LOAD, 0, 0}, {ADD, 0, 1}, {STORE, 0, 0}, {UNLOCK, 0, 0}},
      {{LOAD, 0, 0}, {ADD, 0, 10}, {STORE, 0, 0}}}},
};

struct state {
    int variable[variables];
    int reg[most_threads][registers];
    int owner; /* of the lock: 0 nobody */
    int at[most_threads];
};

static void print(char *to, const int *variable, int reg[most_threads][registers]) {
    to += sprintf(to, "%d %d %d:", variable[0], variable[1], variable[2]);
    for (int i = 0; i < most_threads; i++)
        to += sprintf(to, " %d,%d", reg[i][0], reg[i][1]);
}

/* --- every order ----------------------------------------------------------------------- */

static char outcomes[most_outcomes][80];
static int outcome_count;

static void note(const struct state *state) {
    char text[80];
    struct state copy = *state;
    print(text, copy.variable, copy.reg);
    for (int i = 0; i < outcome_count; i++)
        if (strcmp(outcomes[i], text) == 0)
            return;
    if (outcome_count < most_outcomes)
        strcpy(outcomes[outcome_count++], text);
}

/* False: it has to wait. */
static int make(struct state *state, int thread, const struct step *step) {
    int *reg = state->reg[thread];
    switch (step->kind) {
    case LOAD:
        reg[step->to] = state->variable[step->from];
        return 1;
    case STORE:
        state->variable[step->to] = reg[step->from];
        return 1;
    case ADD:
        reg[step->to] += step->from;
        return 1;
    case SET:
        reg[step->to] = step->from;
        return 1;
    case LOCK:
        if (state->owner)
            return 0;
        state->owner = thread + 1;
        return 1;
    case UNLOCK:
        state->owner = 0;
        return 1;
    default:
        return 0;
    }
}

static void explore(const struct tiny *program, const struct state *state) {
    int is_over = 1;
    for (int i = 0; i < most_threads; i++) {
        struct state next = *state;
        if (!make(&next, i, &program->threads[i][state->at[i]]))
            continue;
        next.at[i]++;
        explore(program, &next);
        is_over = 0;
    }
    if (is_over)
        note(state);
}

/* --- real threads ---------------------------------------------------------------------- */

static volatile int shared[variables];
static int results[most_threads][registers];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct tiny *chosen;

static void *run(void *argument) {
    int thread = (int)(long)argument, reg[registers] = {0};
    for (const struct step *step = chosen->threads[thread]; step->kind != END; step++)
        switch (step->kind) {
        case LOAD:
            reg[step->to] = shared[step->from];
            break;
        case STORE:
            shared[step->to] = reg[step->from];
            break;
        case ADD:
            reg[step->to] += step->from;
            break;
        case SET:
            reg[step->to] = step->from;
            break;
        case LOCK:
            pthread_mutex_lock(&lock);
            break;
        case UNLOCK:
            pthread_mutex_unlock(&lock);
            break;
        default:
            break;
        }
    memcpy(results[thread], reg, sizeof reg);
    return NULL;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

int main(int count, char **arguments) {
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
        if (count > 1 && strcmp(arguments[1], programs[i].name) == 0)
            chosen = &programs[i];
    if (!chosen)
        return 2;
    if (count > 2) {
        struct state start = {0};
        explore(chosen, &start);
        qsort(outcomes, (size_t)outcome_count, sizeof *outcomes, compare);
        for (int i = 0; i < outcome_count; i++)
            puts(outcomes[i]);
        return 0;
    }
    pthread_t threads[most_threads];
    for (long i = 0; i < most_threads; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < most_threads; i++)
        pthread_join(threads[i], NULL);
    char text[80];
    int last[variables];
    for (int i = 0; i < variables; i++)
        last[i] = shared[i];
    print(text, last, results);
    puts(text);
    return 0;
}
