/*
 * What libc's functions for searching keep in memory that the program sees or
 * that libc hides: trees, tables, the rest of a string.
 *
 *   tsearch          makes nodes; the others of its family only follow and free
 *                    them, so libc's own do.  They are red-black trees with the
 *                    colour in the lowest bit of `left`, and twalk() tells their
 *                    shape: it is the one that glibc would make.
 *   hcreate, hsearch tables in the pool; libc's one hidden table is here
 *   strtok           its hidden pointer
 */
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/owned.h"

/* --- trees ----------------------------------------------------------------------------- */

struct node {
    const void *key;
    uintptr_t left; /* and 1 if the node is red */
    uintptr_t right;
};

/* Where a pointer to a node is kept: the root, or a side of another node. */
typedef uintptr_t *place;

static struct node *node_at(uintptr_t link) { return (struct node *)(link & ~(uintptr_t)1); }
static struct node *left_of(const struct node *node) { return node_at(node->left); }
static struct node *right_of(const struct node *node) { return node_at(node->right); }
static bool is_red(const struct node *node) { return node && (node->left & 1); }

static void paint(struct node *node, bool red) {
    if (node)
        node->left = (node->left & ~(uintptr_t)1) | red;
}

/* What is in the lowest bit of a place is the colour of the node around it. */
static void set(place at, const struct node *node) { *at = (uintptr_t)node | (*at & 1); }

/* A step down the tree: where it led, and by which comparison. */
struct step {
    place at;
    int compared;
};

/* Two red nodes in a row below `grandparent`: turns them so that there is a black
 * one between. The steps lead to the node, its parent and its grandparent. */
static void rotate(struct step child, struct step parent, place grandparent) {
    struct node *node = node_at(*child.at), *p = node_at(*parent.at), *gp = node_at(*grandparent);
    if ((child.compared > 0) != (parent.compared > 0)) {
        struct node *less = left_of(node), *more = right_of(node);
        bool is_left = child.compared < 0;
        paint(p, true);
        paint(gp, true);
        paint(node, false);
        set(is_left ? &p->left : &p->right, is_left ? more : less);
        set(is_left ? &gp->right : &gp->left, is_left ? less : more);
        set(is_left ? &node->right : &node->left, p);
        set(is_left ? &node->left : &node->right, gp);
        set(grandparent, node);
        return;
    }
    bool is_left = child.compared < 0;
    set(grandparent, p);
    paint(p, false);
    paint(gp, true);
    set(is_left ? &gp->left : &gp->right, is_left ? right_of(p) : left_of(p));
    set(is_left ? &p->right : &p->left, gp);
}

/* The node becomes red and what is below it black. */
static void redden(struct step child, struct step parent, place grandparent) {
    struct node *node = node_at(*child.at);
    paint(node, true);
    paint(left_of(node), false);
    paint(right_of(node), false);
    if (parent.at && is_red(node_at(*parent.at)))
        rotate(child, parent, grandparent);
}

typedef int compare_function(const void *, const void *);
void *__recut_special_tsearch(const void *, void **, compare_function *);
void *__recut_special___tsearch(const void *, void **, compare_function *);

void *__recut_special_tsearch(const void *key, void **root, compare_function *compare) {
    struct step at = {(place)root, 0}, parent = {NULL, 0};
    place grandparent = NULL;
    if (!root)
        return NULL;
    paint(*root, false);
    /* `at` is the node that is looked at, `parent` the one above. */
    while (node_at(*at.at)) {
        struct node *node = node_at(*at.at);
        int compared = compare(key, node->key);
        if (compared == 0)
            return node;
        if (is_red(left_of(node)) && is_red(right_of(node)))
            redden(at, parent, grandparent);
        grandparent = parent.at;
        parent = at;
        at = (struct step){compared < 0 ? &node->left : &node->right, compared};
    }
    struct node *made = owned_malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = (struct node){key, 1, 0};
    set(at.at, made);
    if (parent.at)
        redden(at, parent, grandparent);
    return made;
}

void *__recut_special___tsearch(const void *key, void **root, compare_function *compare) {
    return __recut_special_tsearch(key, root, compare);
}

/* --- tables ---------------------------------------------------------------------------- */

/* As in glibc's hsearch_r.c: entry 0 is not used. */
struct table_entry {
    unsigned used;
    ENTRY entry;
};

static bool is_prime(size_t odd) {
    for (size_t divisor = 3; divisor <= odd / divisor; divisor += 2)
        if (odd % divisor == 0)
            return false;
    return true;
}

int __recut_special_hcreate_r(size_t, struct hsearch_data *), __recut_special_hcreate(size_t);
void __recut_special_hdestroy(void);
ENTRY *__recut_special_hsearch(ENTRY, ACTION);

int __recut_special_hcreate_r(size_t wanted, struct hsearch_data *table) {
    if (!table) {
        errno = EINVAL;
        return 0;
    }
    if (table->table)
        return 0;
    size_t size = (wanted < 3 ? 3 : wanted) | 1;
    while (size < UINT32_MAX && !is_prime(size))
        size += 2;
    if (size >= UINT32_MAX) {
        errno = ENOMEM;
        return 0;
    }
    table->table = owned_calloc(size + 1, sizeof(struct table_entry));
    if (!table->table)
        return 0;
    table->size = (unsigned)size;
    table->filled = 0;
    return 1;
}

static struct hsearch_data hidden;

int __recut_special_hcreate(size_t wanted) { return __recut_special_hcreate_r(wanted, &hidden); }
void __recut_special_hdestroy(void) { hdestroy_r(&hidden); }

ENTRY *__recut_special_hsearch(ENTRY item, ACTION action) {
    ENTRY *found = NULL;
    hsearch_r(item, action, &found, &hidden);
    return found;
}

/* --- tokens ---------------------------------------------------------------------------- */

char *__recut_special_strtok(char *, const char *);
char *__recut_special_strtok(char *text, const char *delimiters) {
    static char *rest;
    return strtok_r(text, delimiters, &rest);
}
