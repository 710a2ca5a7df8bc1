#!/usr/bin/env python3
"""Writes a random program of several files that work on each other's memory.

    modules.py SEED FOLDER [threads]

Functions of six kinds, spread over three files, change globals, heap objects and each other's locals,
call each other directly, by tables of pointers, by comparators and with variable arguments, return and
take structs in registers and in memory, jump, set errno, keep thread-locals, and ask the environment for
what they cannot know.  Nothing in it is undefined, so that builds at any level print the same, were it not
for the environment.
"""
import os
import random
import sys

FILES = ("main.c", "left.c", "right.c")
HEADER = """#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
typedef unsigned long num;
struct ctx { num value; num *out; struct node *list; char text[40]; };
struct node { struct node *next; num key; char *text; };
struct pair { num a, b; };
struct mix { double d; num n; };
struct big { num v[7]; };
struct small { float f, g; };
extern num g[8], arr[64]; extern char buffer[256], *heap; extern struct node *list;
extern num (*ops[8])(num, struct ctx *); extern long fuel; extern __thread num local_of_thread[4];
extern struct ctx shared; extern double reals[8];
num noise(void);
int store_block(size_t size, void *at); void *sized_block(size_t size); size_t size_of_block(void *block);
void free_block(void *block); void grow_block(void *at, size_t size); struct node *pool_node(void);
void pool_release(struct node *node);
"""
# Allocators: where a parameter points, behind a header, in place, and pieces of one block.
ALLOCATORS = """int store_block(size_t size, void *at) {
    void *block = sized_block(size);
    *(void **)at = block;
    return 0;
}
void *sized_block(size_t size) {
    size_t *block = calloc(1, size + 16);
    *block = size;
    return block + 2;
}
size_t size_of_block(void *block) { return ((size_t *)block)[-2]; }
void free_block(void *block) { free((size_t *)block - 2); }
void grow_block(void *at, size_t size) {
    void **place = at;
    size_t *block = realloc(*place ? (size_t *)*place - 2 : NULL, size + 16);
    *block = size;
    *place = block + 2;
}
static struct node pieces[16], *released;
static int used;
struct node *pool_node(void) {
    struct node *node = released;
    if (node) released = node->next;
    else if (used < 16) node = &pieces[used++];
    if (node) { node->next = 0; node->key = (num)used; }
    return node;
}
void pool_release(struct node *node) {
    node->next = released;
    released = node;
}
"""


class Program:
    def __init__(self, seed, threads):
        self.random = random.Random(seed)
        self.threads = threads
        r = self.random
        self.kinds = {"f": r.randint(5, 9), "p": 2, "m": 2, "b": 2, "s": 2, "v": 2, "c": 2}
        self.where = {}
        for kind, count in self.kinds.items():
            for i in range(count):
                self.where[f"{kind}_{i}"] = r.randrange(3)
        self.jumper, self.allocator = r.randrange(3), r.randrange(3)

    def pick(self, kind):
        return f"{kind}_{self.random.randrange(self.kinds[kind])}"

    def value(self):
        r = self.random
        return r.choice(["x", "x + 1", "y", "z", f"g[{r.randrange(8)}]", f"arr[y & 63]", str(r.randrange(1000)),
                         "c->value", "(num)(unsigned char)buffer[z & 31]", f"local_of_thread[{r.randrange(4)}]",
                         "shared.value", "(list ? list->key : 3)"])

    def statement(self):
        r, v = self.random, self.value
        i, k = r.randrange(8), r.randrange(64)
        choices = [
            lambda: f"g[{i}] = g[{i}] * 3 + {v()};",
            lambda: f"arr[({v()}) & 63] += {v()};",
            lambda: f"y = y * 31 + {self.pick('f')}({v()}, c);",
            lambda: f"{{ struct ctx mine = {{{v()}, &z, list, \"mine\"}}; y += {self.pick('f')}({v()}, &mine) + mine.value; }}",
            lambda: f"y += ops[({v()}) & 7]({v()}, c);",
            lambda: f"ops[{i}] = {self.pick('f')};",
            lambda: f"{{ struct pair p = {self.pick('p')}({v()}); y += p.a ^ p.b; }}",
            lambda: f"{{ struct mix m = {self.pick('m')}((double)(({v()}) & 1023), {v()}); y += m.n + (num)(long)m.d; }}",
            lambda: f"{{ struct big b = {{{{{v()}, 2, {v()}}}}}; b = {self.pick('b')}(b, {v()}); y += b.v[{r.randrange(7)}]; }}",
            lambda: f"{{ struct small s = {self.pick('s')}((float)(({v()}) & 255)); y += (num)(long)(s.f + s.g); }}",
            lambda: f"y += {self.pick('v')}({r.randrange(9)}, {', '.join('(num)(' + v() + ')' for _ in range(9))});",
            lambda: f"{{ num few[9]; for (int n = 0; n < 9; n++) few[n] = arr[({k} + n) & 63] ^ (num)n; qsort(few, 9, sizeof *few, {self.pick('c')}); y += few[4]; }}",
            lambda: "{ struct node *n = malloc(sizeof *n); n->key = y; n->text = strdup(buffer); n->next = list; list = n; }",
            lambda: "if (list) { struct node *n = list; list = n->next; y += n->key + strlen(n->text); free(n->text); free(n); }",
            lambda: f"{{ size_t size = 40 + (({v()}) & 127); heap = realloc(heap, size); snprintf(heap, size, \"%lu-%s\", {v()}, c->text); }}",
            lambda: "if (heap) y += strlen(heap) + (num)(unsigned char)heap[z % (strlen(heap) + 1)];",
            lambda: f"{{ num *b; store_block(24, &b); b[{r.randrange(3)}] = {v()}; y += b[{r.randrange(3)}] + size_of_block(b); free_block(b); }}",
            lambda: f"{{ num *b = 0; grow_block(&b, 8); *b = {v()}; grow_block(&b, 64); y ^= *b; free_block(b); }}",
            lambda: f"{{ struct node *n = pool_node(); if (n) {{ n->key ^= {v()}; n->text = buffer; y += n->key; pool_release(n); }} }}",
            lambda: f"snprintf(buffer, sizeof buffer, \"%lu:%s:%.2f\", {v()}, c->text, reals[{i}]);",
            lambda: "memcpy(c->text, buffer, sizeof c->text - 1);",
            lambda: f"if (c->out) *c->out += {v()};",
            lambda: f"c->value ^= {v()};",
            lambda: "shared = *c; shared.out = 0;",
            lambda: f"local_of_thread[{r.randrange(4)}] += {v()};",
            lambda: f"reals[{i}] = reals[{r.randrange(8)}] / 2 + (double)(({v()}) & 4095);",
            lambda: "y += noise();",
            lambda: f"errno = (int)(({v()}) & 63);",
            lambda: "y += (num)errno;",
            lambda: "close(-1); y += (num)errno;",
            lambda: f"{{ num a = 0; char word[20]; if (sscanf(\"{k} word\", \"%lu %19s\", &a, word) == 2) y += a + strlen(word); }}",
            lambda: f"{{ char *t = strchr(buffer, ':'); if (t) y += (num)(t - buffer); }}",
            lambda: f"{{ char copy[64]; strncpy(copy, buffer, 63); copy[63] = 0; char *save, *w = strtok_r(copy, \":\", &save); if (w) y += strlen(w); }}",
            lambda: f"memset(&arr[{r.randrange(56)}], (int)(({v()}) & 3), 16);",
            lambda: f"{{ static num kept; kept += {v()}; y ^= kept; }}",
            lambda: f"if (({v()}) & 1) {{ {self.statement()} }} else {{ {self.statement()} }}",
            lambda: f"for (int n = 0; n < {r.randint(1, 3)}; n++) {{ {self.statement()} }}",
            lambda: "{ const char *h = getenv(\"HOME\"); y += h ? strlen(h) : 1; }",
            lambda: "{ time_t t = time(0); struct tm *tm = gmtime(&t); y += (num)tm->tm_min; }",
            lambda: "{ char small[8]; ssize_t n = read(urandom, small, 4); if (n == 4) y += (num)(unsigned char)small[2]; }",
            lambda: "if (file) { char line[32]; rewind(file); if (fgets(line, sizeof line, file)) y += strlen(line); }",
        ]
        return r.choice(choices)()

    def body(self, length):
        return "\n    ".join(self.statement() for _ in range(length))

    def prototype(self, name):
        return {
            "f": f"num {name}(num x, struct ctx *c)",
            "p": f"struct pair {name}(num x)",
            "m": f"struct mix {name}(double d, num x)",
            "b": f"struct big {name}(struct big in, num x)",
            "s": f"struct small {name}(float f)",
            "v": f"num {name}(int count, ...)",
            "c": f"int {name}(const void *left, const void *right)",
        }[name[0]]

    def function(self, name):
        r = self.random
        kind = name[0]
        start = "num y = 1, z = 2; "
        if kind != "f":
            start += "struct ctx own = {5, 0, 0, \"own\"}, *c = &own; "
        if kind in "scv":
            start += "num x = 7; "
        work = self.body(r.randint(3, 7)) if kind != "c" else ""
        guard = {
            "f": "if (--fuel < 0) return x;",
            "p": "if (--fuel < 0) return (struct pair){x, 1};",
            "m": "if (--fuel < 0) return (struct mix){d, x};",
            "b": "if (--fuel < 0) return in;",
            "s": "if (--fuel < 0) return (struct small){f, f};",
            "v": "if (--fuel < 0) return 1;",
            "c": "",
        }[kind]
        end = {
            "f": "return x * 5 + y + z;",
            "p": "return (struct pair){y, x + z};",
            "m": "return (struct mix){d / 3 + 1, y};",
            "b": "in.v[x % 7] += y; return in;",
            "s": "return (struct small){f + 1, (float)(y & 15)};",
            "v": "va_list l; va_start(l, count); for (int n = 0; n < count; n++) y = y * 7 + va_arg(l, num); va_end(l); return y;",
            "c": f"num a = *(const num *)left, b = *(const num *)right; g[{r.randrange(8)}] += a; if (--fuel > 0 && (a & 3) == 0) y += {self.pick('p')}(a).a; "
                 "return a < b ? -1 : a > b;",
        }[kind]
        return f"{self.prototype(name)} {{\n    {guard}\n    {start}(void)c, (void)z, (void)x;\n    {work}\n    {end}\n}}\n"

    def jumps(self):
        r = self.random
        return f"""static jmp_buf place;
static num deep(num x, int left) {{
    if (!left) longjmp(place, 1 + (int)(x & 7));
    arr[x & 63]++;
    return deep(x * 3 + 1, left - 1) + 1;
}}
num jumps(num x) {{
    volatile num sum = x;
    int got = setjmp(place);
    if (!got) sum += deep(x, {r.randint(1, 9)});
    else sum += (num)got;
    return sum;
}}
"""

    def main(self):
        tables = ", ".join(self.pick("f") for _ in range(8))
        first = "\n    ".join(f"total = total * 13 + {self.pick('f')}({i}, &shared);" for i in range(4))
        run = f"""static num run(num total) {{
    {first}
    {{ struct ctx c = {{total, &total, list, "run"}}; total += ops[total & 7](total, &c); }}
    total += jumps(total);
    {{ num x = 3, y = 1, z = 2; struct ctx own = {{4, 0, 0, "main"}}, *c = &own; {self.body(6)} total += x + y + z + own.value; }}
    return total;
}}
"""
        threads = """
static void *thread(void *data) {
    num *value = data;
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        fuel = 60;
        *value = run(*value);
        pthread_mutex_unlock(&mutex);
    }
    return data;
}
""" if self.threads else ""
        start = """
    pthread_t made[3]; num values[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) pthread_create(&made[i], 0, thread, &values[i]);
    for (int i = 0; i < 3; i++) pthread_join(made[i], 0);
    total += values[0] ^ values[1] ^ values[2];""" if self.threads else ""
        include = "#include <pthread.h>\nstatic pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n" if self.threads else ""
        return f"""{include}num g[8] = {{1, 2, 3}}, arr[64]; char buffer[256] = "some:text", *heap; struct node *list;
num (*ops[8])(num, struct ctx *) = {{{tables}}}; long fuel = 600; __thread num local_of_thread[4] = {{3}};
struct ctx shared = {{9, 0, 0, "shared"}}; double reals[8] = {{0.5, 3}};
int urandom = -1; FILE *file;
num noise(void) {{ unsigned char b = 0; return read(urandom, &b, 1) == 1 ? b : 0; }}
{run}{threads}
int main(void) {{
    FILE *in = fopen("/dev/urandom", "r"); urandom = fileno(in);
    file = fopen("/proc/self/cmdline", "r");
    num total = run(noise());{start}
    while (list) {{ struct node *n = list; list = n->next; total += n->key; free(n->text); free(n); }}
    free(heap);
    for (int i = 0; i < 64; i++) total = total * 17 + arr[i];
    printf("%lu %s %ld\\n", total, buffer, fuel);
    return (int)(total & 63);
}}
"""

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "all.h"), "w", encoding="utf-8") as out:
            out.write(HEADER + "extern int urandom; extern FILE *file;\nnum jumps(num x);\n")
            for name in self.where:
                out.write(self.prototype(name) + ";\n")
        for number, file in enumerate(FILES):
            text = '#include "all.h"\n'
            if self.jumper == number:
                text += self.jumps()
            if self.allocator == number:
                text += ALLOCATORS
            for name, where in self.where.items():
                if where == number:
                    text += self.function(name)
            if number == 0:
                text += self.main()
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(text)


if __name__ == "__main__":
    Program(int(sys.argv[1]), "threads" in sys.argv[3:]).write(sys.argv[2])
