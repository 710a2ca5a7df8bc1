# containers.py RECUT RECUT_CC DIR FIRST COUNT: slices of random programs that are made of
# containers, constructors and callbacks, against what changes when an input does.
#
# Each program has a few inputs, each read on a line of its own, and puts them into vectors, lists,
# trees, tables, holders of these, and objects with function pointers, by way of functions that all
# of them share.  At its end it prints a sum of each, on a line of its own.  It is run again and
# again, each time with one input changed: where a sum changes, the line of the input must be in the
# slice on the line that prints it.  That is never all that can influence, so what a slice has
# besides is no mistake; it is counted.
import os
import random
import subprocess
import sys

LIBRARY = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec { long *data; size_t count, room; };
struct node { struct node *next; long value; };
struct list { struct node *first; struct node **last; };
struct tree { struct tree *left, *right; long key; };
struct entry { struct entry *next; long key, value; };
struct table { struct entry *buckets[4]; };
struct object { long (*apply)(struct object *, long); long state; struct vec *log; };
struct holder { struct vec *vec; struct list *list; struct object *object; };

static void *allocate(size_t size) {
    void *block = calloc(1, size);
    if (!block)
        abort();
    return block;
}
static struct vec *vec_new(void) { return allocate(sizeof(struct vec)); }
static void vec_push(struct vec *v, long value) {
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 2;
        v->data = realloc(v->data, v->room * sizeof *v->data);
    }
    v->data[v->count++] = value;
}
static long fold(const struct vec *v, long (*f)(long, long), long sum) {
    for (size_t i = 0; i < v->count; i++)
        sum = f(sum, v->data[i]);
    return sum;
}
static long plus(long a, long b) { return a + b; }
static long mix(long a, long b) { return 31 * a + b; }
static struct list *list_new(void) {
    struct list *l = allocate(sizeof *l);
    l->last = &l->first;
    return l;
}
static void list_add(struct list *l, long value) {
    struct node *n = allocate(sizeof *n);
    n->value = value;
    *l->last = n;
    l->last = &n->next;
}
static void list_each(struct list *l, void (*f)(long, void *), void *context) {
    for (struct node *n = l->first; n; n = n->next)
        f(n->value, context);
}
static void add_to_vec(long value, void *context) { vec_push(context, value); }
static void add_to_sum(long value, void *context) { *(long *)context += value; }
static void list_splice(struct list *to, struct list *from) {
    *to->last = from->first;
    to->last = from->first ? from->last : to->last;
    from->first = NULL;
    from->last = &from->first;
}
static struct tree *tree_add(struct tree *t, long key) {
    if (!t) {
        t = allocate(sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->left = tree_add(t->left, key);
    else
        t->right = tree_add(t->right, key);
    return t;
}
static long tree_sum(const struct tree *t) {
    return t ? 3 * tree_sum(t->left) + t->key + 5 * tree_sum(t->right) : 0;
}
static void table_put(struct table *t, long key, long value) {
    struct entry **at = &t->buckets[(unsigned long)key % 4];
    for (; *at; at = &(*at)->next)
        if ((*at)->key == key) {
            (*at)->value = value;
            return;
        }
    *at = allocate(sizeof **at);
    (*at)->key = key;
    (*at)->value = value;
}
static long table_sum(const struct table *t) {
    long sum = 0;
    for (int i = 0; i < 4; i++)
        for (const struct entry *e = t->buckets[i]; e; e = e->next)
            sum = 7 * sum + 3 * e->key + e->value;
    return sum;
}
static long count_up(struct object *o, long by) { return o->state += by; }
static long remember(struct object *o, long value) {
    vec_push(o->log, value);
    return value;
}
static struct object *object_new(long (*apply)(struct object *, long)) {
    struct object *o = allocate(sizeof *o);
    o->apply = apply;
    o->log = vec_new();
    return o;
}
static long send(struct object *o, long value) { return o->apply(o, value); }
static long object_sum(struct object *o) { return o->state + fold(o->log, plus, 0); }
static struct holder holder_make(long (*apply)(struct object *, long)) {
    struct holder h = {vec_new(), list_new(), object_new(apply)};
    return h;
}
static void holder_add(struct holder *h, long value) {
    vec_push(h->vec, value);
    list_add(h->list, value + 1);
    send(h->object, value + 2);
}
static long holder_sum(struct holder *h) {
    long sum = fold(h->vec, mix, 1);
    list_each(h->list, add_to_sum, &sum);
    return sum + object_sum(h->object);
}
static void exchange(struct vec **a, struct vec **b) {
    struct vec *c = *a;
    *a = *b;
    *b = c;
}
static struct vec *choose(struct vec *a, struct vec *b, long which) { return which & 1 ? a : b; }
struct text { char *chars; size_t length, room; };
static void text_add(struct text *t, long value) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%ld,", value);
    if (t->length + count + 1 > t->room) {
        t->room = 2 * (t->room + count + 1);
        t->chars = realloc(t->chars, t->room);
    }
    memcpy(t->chars + t->length, digits, count + 1);
    t->length += count;
}
static long text_sum(const struct text *t) {
    long sum = 0;
    for (const char *at = t->chars; at && *at; at = strchr(at, ',') + 1)
        sum = 3 * sum + strtol(at, NULL, 10);
    return sum;
}

struct ring { long *slots; unsigned head, tail, mask; };
static struct ring ring_new(unsigned size) {
    struct ring r = {calloc(size, sizeof *r.slots), 0, 0, size - 1};
    return r;
}
static void ring_put(struct ring *r, long value) {
    if (r->tail - r->head > r->mask)
        r->head++;
    r->slots[r->tail++ & r->mask] = value;
}
static long ring_sum(const struct ring *r) {
    long sum = 0;
    for (unsigned i = r->head; i != r->tail; i++)
        sum = 2 * sum + r->slots[i & r->mask];
    return sum;
}

struct matrix { long **rows; int size, at; };
static struct matrix *matrix_new(int size) {
    struct matrix *m = allocate(sizeof *m);
    m->rows = allocate(size * sizeof *m->rows);
    for (int i = 0; i < size; i++)
        m->rows[i] = allocate(size * sizeof **m->rows);
    m->size = size;
    return m;
}
static void matrix_put(struct matrix *m, long value) {
    m->rows[m->at / m->size % m->size][m->at % m->size] += value;
    m->at++;
}
static long matrix_sum(const struct matrix *m) {
    long sum = 0;
    for (int i = 0; i < m->size; i++)
        for (int k = 0; k < m->size; k++)
            sum += (i + 2 * k + 1) * m->rows[i][k];
    return sum;
}

struct variant { enum { NUMBER, BOX, LIST } kind; union { long number; long *box; struct list *list; }; };
static void variant_set(struct variant *v, long value) {
    switch (v->kind = (unsigned long)value % 3) {
    case NUMBER: v->number = value; break;
    case BOX:
        v->box = allocate(sizeof *v->box);
        *v->box = value;
        break;
    case LIST:
        v->list = list_new();
        list_add(v->list, value);
    }
}
static long variant_sum(const struct variant *v) {
    long sum = 0;
    if (v->kind == LIST)
        list_each(v->list, add_to_sum, &sum);
    return v->kind == NUMBER ? v->number : v->kind == BOX ? 2 * *v->box : 3 * sum;
}

struct stream;
struct stream_class { void (*put)(struct stream *, long); long (*sum)(const struct stream *); };
struct stream { const struct stream_class *class; void *own; };
static void vec_put(struct stream *s, long value) { vec_push(s->own, value); }
static long vec_sum(const struct stream *s) { return fold(s->own, mix, 3); }
static void tree_put(struct stream *s, long value) { s->own = tree_add(s->own, value); }
static long tree_total(const struct stream *s) { return tree_sum(s->own); }
static const struct stream_class vec_stream = {vec_put, vec_sum};
static const struct stream_class tree_stream = {tree_put, tree_total};
static struct stream *stream_new(const struct stream_class *class) {
    struct stream *s = allocate(sizeof *s);
    s->class = class;
    if (class == &vec_stream)
        s->own = vec_new();
    return s;
}
static void stream_put(struct stream *s, long value) { s->class->put(s, value); }
static long stream_sum(const struct stream *s) { return s->class->sum(s); }

struct nest { struct vec **all; int count; };
static void nest_put(struct nest *n, long value) {
    if (value % 2 || !n->count) {
        n->all = realloc(n->all, (n->count + 1) * sizeof *n->all);
        n->all[n->count++] = vec_new();
    }
    vec_push(n->all[n->count - 1], value);
}
static long nest_sum(const struct nest *n) {
    long sum = 0;
    for (int i = 0; i < n->count; i++)
        sum = 5 * sum + fold(n->all[i], plus, i);
    return sum;
}
static long nest_close(struct nest *n) {
    struct nest copy = *n;
    long sum = nest_sum(&copy);
    if (copy.count < 0)
        goto failed;
    return sum;
failed:
    return -1;
}

static struct vec *shared;
static struct vec *the_shared(void) {
    if (!shared)
        shared = vec_new();
    return shared;
}
"""

# What each kind is made by, how something gets into it, and what is printed of it.
KINDS = {
    "vec": ("struct vec *%s = vec_new();", "vec_push(%s, %s);", "fold(%s, mix, 1)"),
    "list": ("struct list *%s = list_new();", "list_add(%s, %s);", "list_total(%s)"),
    "tree": ("struct tree *%s = NULL;", "%s = tree_add(%s, %s);", "tree_sum(%s)"),
    "table": ("struct table %s = {{0}};", "table_put(&%s, %s, %s);", "table_sum(&%s)"),
    "object": ("struct object *%s = object_new(count_up);", "send(%s, %s);", "object_sum(%s)"),
    "logger": ("struct object *%s = object_new(remember);", "send(%s, %s);", "object_sum(%s)"),
    "holder": ("struct holder %s = holder_make(%s);", "holder_add(&%s, %s);", "holder_sum(&%s)"),
    "text": ("struct text %s = {0};", "text_add(&%s, %s);", "text_sum(&%s)"),
    "ring": ("struct ring %s = ring_new(4);", "ring_put(&%s, %s);", "ring_sum(&%s)"),
    "matrix": ("struct matrix *%s = matrix_new(2);", "matrix_put(%s, %s);", "matrix_sum(%s)"),
    "variant": ("struct variant %s = {0};", "variant_set(&%s, %s);", "variant_sum(&%s)"),
    "stream": ("struct stream *%s = stream_new(&vec_stream);", "stream_put(%s, %s);", "stream_sum(%s)"),
    "streamed": ("struct stream *%s = stream_new(&tree_stream);", "stream_put(%s, %s);", "stream_sum(%s)"),
    "nest": ("struct nest %s = {0};", "nest_put(&%s, %s);", "nest_close(&%s)"),
    "local": ("struct vec %s = {0};", "vec_push(&%s, %s);", "fold(&%s, plus, 0)"),
}


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inputs = self.random.randint(4, 7)
        self.things = {}
        self.body = []

    def value(self):
        return "in%d" % self.random.randrange(self.inputs)

    def make(self, number):
        kind = self.random.choice(sorted(KINDS))
        name = "%s%d" % (kind, number)
        text = KINDS[kind][0]
        given = (name, self.random.choice(["count_up", "remember"]))
        self.body.append(text % given[: text.count("%s")])
        self.things[name] = kind

    def put(self, name):
        text = KINDS[self.things[name]][1]
        if self.things[name] == "table":
            return text % (name, self.value(), self.value())
        if self.things[name] == "tree":
            return text % (name, name, self.value())
        return text % (name, self.value())

    def of(self, *kinds):
        return [n for n in sorted(self.things) if self.things[n] in kinds]

    def step(self):
        r = self.random
        choice = r.randrange(12)
        vecs, lists = self.of("vec"), self.of("list")
        if choice == 0 and len(vecs) > 1:
            return "exchange(&%s, &%s);" % tuple(r.sample(vecs, 2))
        if choice == 1 and len(vecs) > 1:
            return "vec_push(choose(%s, %s, %s), %s);" % (
                *r.sample(vecs, 2), self.value(), self.value())
        if choice == 2 and lists and vecs:
            return "list_each(%s, add_to_vec, %s);" % (r.choice(lists), r.choice(vecs))
        if choice == 3 and len(lists) > 1:
            return "list_splice(%s, %s);" % tuple(r.sample(lists, 2))
        if choice == 4:
            return "vec_push(the_shared(), %s);" % self.value()
        if choice == 5 and vecs:
            return "vec_push(%s, fold(the_shared(), plus, 0));" % r.choice(vecs)
        if choice == 6:
            return "if (%s > 20) { %s }" % (self.value(), self.put(r.choice(sorted(self.things))))
        if choice == 7:
            return "for (long i = 0; i < 2; i++) { %s }" % self.put(r.choice(sorted(self.things)))
        return self.put(r.choice(sorted(self.things)))

    def text(self):
        for number in range(self.random.randint(3, 6)):
            self.make(number)
        for _ in range(self.random.randint(8, 18)):
            self.body.append(self.step())
        lines = ["static long list_total(struct list *l) {", "    long sum = 0;",
                 "    list_each(l, add_to_sum, &sum);", "    return sum;", "}",
                 "int main(int argc, char **argv) {", "    (void)argc;"]
        lines += ["    long in%d = atol(argv[%d]);" % (i, i + 1) for i in range(self.inputs)]
        lines += ["    " + line for line in self.body]
        for name in sorted(self.things):
            lines.append('    printf("%s %%ld\\n", %s);' % (name, KINDS[self.things[name]][2] % name))
        lines.append('    printf("shared %ld\\n", fold(the_shared(), plus, 0));')
        return LIBRARY + "\n".join(lines + ["    return 0;", "}"]) + "\n"


def run(program, inputs):
    out = subprocess.run(["./" + program] + [str(i) for i in inputs], capture_output=True,
                         text=True, timeout=20, check=True).stdout
    return dict(line.split() for line in out.splitlines())


def influences(program, count, seed):
    """The pairs (number of an input, what is printed) that were seen to belong together."""
    r, found = random.Random(seed), set()
    for _ in range(6):
        inputs = [r.randint(1, 40) for _ in range(count)]
        before = run(program, inputs)
        for i in range(count):
            for other in (inputs[i] + 1, r.randint(1, 40), 60):
                after = run(program, inputs[:i] + [other] + inputs[i + 1:])
                found |= {(i, name) for name in before if before[name] != after[name]}
    return found


def slice_of(recut, program, line, *options):
    out = subprocess.run([recut, "slice", program, "--no-cache", "--format", "lines", "--at",
                          "%s.c:%d" % (program, line), *options],
                         capture_output=True, text=True, timeout=300, check=True).stdout
    return {int(text.rsplit(":", 1)[1]) for text in out.splitlines()}


def check(recut, cc, seed, figures):
    made = Program(seed)
    source, name = made.text(), "p%d" % seed
    with open(name + ".c", "w") as file:
        file.write(source)
    subprocess.run([cc, "-w", "-g", "-O0", "-o", name, name + ".c"], check=True)
    subprocess.run([recut, "dump", "--check", "--copies", name], check=True)
    lines = source.splitlines()
    input_line = {i: 1 + next(n for n, l in enumerate(lines) if " in%d = atol" % i in l)
                  for i in range(made.inputs)}
    found = influences(name, made.inputs, seed)
    mistakes = []
    for printed in sorted(made.things) + ["shared"]:
        line = 1 + next(n for n, l in enumerate(lines) if 'printf("%s ' % printed in l)
        sliced = slice_of(recut, name, line)
        figures["plain"] += len(slice_of(recut, name, line, "--no-copies") &
                                set(input_line.values()))
        for i in range(made.inputs):
            influence, is_in = (i, printed) in found, input_line[i] in sliced
            figures["influences"] += influence
            figures["sliced"] += is_in
            if influence and not is_in:
                mistakes.append("input %d changes %s, and is not in its slice" % (i, printed))
    return mistakes


def main():
    recut, cc, folder, first, count = sys.argv[1:]
    os.chdir(folder)
    figures = {"influences": 0, "sliced": 0, "plain": 0}
    for number, seed in enumerate(range(int(first), int(first) + int(count))):
        mistakes = check(recut, cc, seed, figures)
        print("%sok %d - seed %d" % ("not " if mistakes else "", number + 1, seed))
        for text in mistakes:
            print("#   %s (kept: %s/p%d.c)" % (text, os.getcwd(), seed))
        if not mistakes:
            os.remove("p%d" % seed)
            os.remove("p%d.c" % seed)
    print("# %(influences)d influences were seen; slices have %(sliced)d inputs, "
          "without copies %(plain)d" % figures)
    print("1..%d" % int(count))


main()
