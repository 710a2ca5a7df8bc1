/* Computed goto: a constant table, one built at run time, differences of
 * labels, labels in the heap; with locals in the interpreter's frame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { push, add, mul, dup, out, jump, halt };

static int constant_table(const int *code) {
    static const void *const table[] = {&&l_push, &&l_add, &&l_mul, &&l_dup, &&l_out, &&l_jump, &&l_halt};
    int stack[64], *top = stack, printed = 0;
#define NEXT goto *table[*code++]
    NEXT;
l_push: *top++ = *code++; NEXT;
l_add: top--; top[-1] += top[0]; NEXT;
l_mul: top--; top[-1] *= top[0]; NEXT;
l_dup: *top = top[-1]; top++; NEXT;
l_out: printf("%d ", *--top); printed++; NEXT;
l_jump: code += *code; NEXT;
l_halt: return printed;
}

static int run_time_table(int n) {
    void *labels[3];
    labels[0] = &&even, labels[1] = &&odd, labels[2] = &&end;
    int s = 0;
again:
    goto *labels[n == 0 ? 2 : n & 1];
even: s += 2; n--; goto again;
odd: s += 1; n--; goto again;
end: return s;
}

static int differences(const char *text) {
    static const int offset[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    int n = 0;
    for (; *text; text++) {
        goto *(&&a + offset[*text - 'a']);
    a: n += 1; continue;
    b: n += 10; continue;
    c: n += 100; continue;
    }
    return n;
}

static int in_heap(int rounds) {
    struct node { void *label; struct node *next; } *ring[3];
    for (int i = 0; i < 3; i++)
        ring[i] = malloc(sizeof *ring[i]);
    ring[0]->label = &&first, ring[1]->label = &&second, ring[2]->label = &&third;
    for (int i = 0; i < 3; i++)
        ring[i]->next = ring[(i + 1) % 3];
    struct node *n = ring[0];
    int s = 0;
    goto *n->label;
first: s = s * 2 + 1; goto next;
second: s = s * 3; goto next;
third: s = s % 1000; goto next;
next:
    if (--rounds) {
        n = n->next;
        goto *n->label;
    }
    for (int i = 0; i < 3; i++)
        free(ring[i]);
    return s;
}

static const char *name(int n) {
    switch (n) {
    case 0: return "zero"; case 1: return "one"; case 2: return "two"; case 3: return "three";
    case 100 ... 200: return "hundreds";
    default: return "many";
    }
}

int main(void) {
    int code[] = {push, 3, dup, mul, dup, out, push, 1, add, jump, 3, out, out, out, halt};
    printf("%d\n", constant_table(code));
    printf("%d %d\n", run_time_table(11), run_time_table(0));
    printf("%d\n", differences("abcabca"));
    printf("%d\n", in_heap(1000));
    printf("%s %s %s %s\n", name(0), name(3), name(150), name(-1));
    return 0;
}
