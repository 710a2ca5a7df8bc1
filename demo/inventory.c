/*
 * inventory: keeps stock by a list of commands, one a line.
 *
 *   add NAME QUANTITY PRICE    a new item
 *   take NAME QUANTITY         out of stock
 *   drop NAME                  no longer sold
 *   kit NAME PART QUANTITY     NAME is made of parts, which may be kits themselves
 *   price NAME                 of an item, or of a kit by its parts
 *   value                      of everything in stock
 *   note TEXT                  for those who read the result; printed at its end
 *
 * It has two bugs, of kinds that real programs have.  `make demo` shows them.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { name_size = 32, line_size = 256, most_notes = 100 };

struct part {
    struct part *next;
    char name[name_size];
    long quantity;
};

struct item {
    struct item *next;
    long quantity, price;
    char name[name_size];
    struct part *parts;
};

static struct item *items;
static char *notes[most_notes];
static size_t note_count;
static bool verbose;

/* Jobs come in runs for one item: the last answer is often the next. */
static struct {
    char name[name_size];
    struct item *item;
} last;

static struct item *find(const char *name) {
    if (last.item && strcmp(last.name, name) == 0)
        return last.item;
    for (struct item *item = items; item; item = item->next)
        if (strcmp(item->name, name) == 0) {
            strcpy(last.name, name);
            last.item = item;
            return item;
        }
    return NULL;
}

static void add(const char *name, long quantity, long price) {
    struct item *item = calloc(1, sizeof *item);
    strcpy(item->name, name);
    item->quantity = quantity;
    item->price = price;
    item->next = items;
    items = item;
}

static void drop(const char *name) {
    for (struct item **link = &items; *link; link = &(*link)->next) {
        struct item *item = *link;
        if (strcmp(item->name, name) == 0) {
            *link = item->next;
            free(item);
            return;
        }
    }
}

static void take(const char *name, long quantity) {
    struct item *item = find(name);
    if (!item) {
        printf("%s: no such item\n", name);
        return;
    }
    if (verbose)
        printf("%s: item at %p\n", name, (void *)item);
    if (item->quantity < quantity) {
        printf("%s: %ld wanted, only %ld in stock\n", name, quantity, item->quantity);
        return;
    }
    item->quantity -= quantity;
    printf("%s: %ld taken, %ld left\n", name, quantity, item->quantity);
}

static void add_part(const char *kit, const char *name, long quantity) {
    struct item *item = find(kit);
    if (!item) {
        add(kit, 0, 0);
        item = find(kit);
    }
    struct part *part = calloc(1, sizeof *part);
    strcpy(part->name, name);
    part->quantity = quantity;
    part->next = item->parts;
    item->parts = part;
}

static long price_of(const char *name) {
    char label[line_size];
    struct item *item = find(name);
    if (!item)
        return 0;
    snprintf(label, sizeof label, "price of %s", item->name);
    if (!item->parts)
        return item->price;
    long sum = 0;
    for (struct part *part = item->parts; part; part = part->next)
        sum += part->quantity * price_of(part->name);
    if (verbose)
        printf("%s: %ld\n", label, sum);
    return sum;
}

static void print_value(void) {
    long sum = 0;
    for (struct item *item = items; item; item = item->next)
        sum += item->quantity * item->price;
    printf("value: %ld\n", sum);
}

static void add_note(const char *text) {
    if (note_count < most_notes)
        notes[note_count++] = strndup(text, strcspn(text, "\n"));
}

static void print_notes(void) {
    for (size_t i = 0; i < note_count; i++)
        printf("note: %s\n", notes[i]);
}

static bool run_line(const char *line) {
    char word[8], name[name_size], part[name_size];
    long quantity, price;
    if (sscanf(line, "add %31s %ld %ld", name, &quantity, &price) == 3)
        add(name, quantity, price);
    else if (sscanf(line, "take %31s %ld", name, &quantity) == 2)
        take(name, quantity);
    else if (sscanf(line, "drop %31s", name) == 1)
        drop(name);
    else if (sscanf(line, "kit %31s %31s %ld", name, part, &quantity) == 3)
        add_part(name, part, quantity);
    else if (sscanf(line, "price %31s", name) == 1)
        printf("%s: price %ld\n", name, price_of(name));
    else if (strncmp(line, "note ", 5) == 0)
        add_note(line + 5);
    else if (sscanf(line, "%7s", word) == 1 && strcmp(word, "value") == 0)
        print_value();
    else
        return false;
    return true;
}

int main(int argc, char **argv) {
    verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    const char *path = argc > 1 + verbose ? argv[1 + verbose] : NULL;
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: inventory [-v] FILE\n");
        return 2;
    }
    char line[line_size];
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && line[0] != '\n' && !run_line(line)) {
            fprintf(stderr, "inventory: cannot read: %s", line);
            return 1;
        }
    fclose(file);
    print_notes();
    return 0;
}
