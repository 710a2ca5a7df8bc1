/* A library that recut has no models of; see third_use.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "third.h"

static int *kept_number;
static char *kept_text;
static size_t kept_size;
static int calls;

/* Different in every run. */
static int noise(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int)(now.tv_nsec / 100 ^ getpid());
}

void third_keep(int *number, char *text, size_t size) {
    kept_number = number;
    kept_text = text;
    kept_size = size;
}

void third_later(void) {
    *kept_number = noise();
    snprintf(kept_text, kept_size, "later %d: %d", ++calls, noise());
}

int third_each(third_callback *callback, void *user) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "item %d/%d", i, noise());
        sum += callback(user, i + noise() % 10, text);
    }
    return sum;
}

const struct third_item *third_list(void) {
    struct third_item *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct third_item *item = malloc(sizeof *item);
        item->id = noise();
        snprintf(item->name, sizeof item->name, "n%d", item->id);
        item->next = head;
        head = item;
    }
    return head;
}

const char *third_name(int number) {
    static char text[40];
    snprintf(text, sizeof text, "%d-%d", number, noise());
    return text;
}

int third_fill(void *out, int size) {
    unsigned char *bytes = out;
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)noise();
    return size;
}

double third_time(double offset) { return offset + noise(); }

/* Fills in a struct of the caller's that points to more of the caller's. */
void third_deep(struct third_deep *deep) {
    deep->count = 3;
    for (int i = 0; i < deep->count; i++)
        deep->numbers[i] = noise();
    deep->text = third_name(deep->count);
    if (deep->next)
        deep->next->count = noise();
}

/* Takes a block of the caller's and frees it, later; and gives one of its own. */
static void *taken;

void third_take(void *block) {
    free(taken);
    taken = block;
}

char *third_give(int number) {
    char *text = malloc(40);
    snprintf(text, 40, "given %d: %d", number, noise());
    return text;
}

int third_many(third_many_callback *callback) {
    return callback(noise(), third_name(1), 3, 4.5, 5, 6, noise(), third_name(8), 9);
}

static int next(struct third_object *object, char *text, third_callback *callback) {
    object->state = noise();
    snprintf(text, 40, "next %d", noise());
    return callback(text, object->state, "from a method") + noise() % 100;
}

static double mean(const struct third_object *object, double by) { return object->state / by; }
static void end(struct third_object *object) { free(object); }

const struct third_methods third_methods = {next, mean, end, third_name};

struct third_object *third_object(void) {
    struct third_object *object = malloc(sizeof *object);
    *object = (struct third_object){&third_methods, noise()};
    return object;
}

/* The environment's variables: a new one with a value that nobody foresees, one that changes, one
 * that goes. */
void third_variables(int round) {
    char text[64];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(text, sizeof text, "%ld in round %d", now.tv_nsec, round);
    setenv(round == 2 ? "THIRD_OTHER" : "THIRD_TIME", text, 1);
    setenv("LANGUAGE", text, 1);
    unsetenv("TERM");
}

int third_first(int (*says)(const struct third_item *item)) {
    int place = noise() & 255;
    for (const struct third_item *item = third_list(); item; item = item->next, place += 1000)
        if (says(item))
            return place;
    return -1;
}
