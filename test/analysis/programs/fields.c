/* Fields, arrays of structs, integers that carry pointers, byte copies.  A line
 * `expect NAME: OBJECT...` says what the pointer stored in the global NAME may
 * point to; nothing else may be there. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int a, b, c, d;
struct pair { int *first, *second; };
struct pair pair;
struct pair table[32];

int *got_first;   /* expect got_first: a */
int *got_second;  /* expect got_second: b */
int *got_table;   /* expect got_table: c */
int *got_integer; /* expect got_integer: d */
int *got_bytes;   /* expect got_bytes: a */
int *got_copy;    /* expect got_copy: b */
int *got_tagged;  /* expect got_tagged: c */
int *got_union;   /* expect got_union: d */
int *got_xor;     /* expect got_xor: a b */

union both { int *pointer; uint64_t number; } both;
uintptr_t hidden, mixed;

__attribute__((noinline)) static void copy_bytes(char *to, const char *from, unsigned n) {
    while (n--)
        *to++ = *from++;
}

int main(int argc, char **argv) {
    (void)argv;
    pair.first = &a;
    pair.second = &b;
    got_first = pair.first;
    got_second = pair.second;
    table[argc & 31].second = &c;
    got_table = table[(argc + 3) & 31].second;
    hidden = (uintptr_t)&d;
    got_integer = (int *)hidden;
    int *from = &a, *to = 0;
    copy_bytes((char *)&to, (const char *)&from, sizeof from);
    got_bytes = to;
    struct pair other;
    memcpy(&other, &pair, sizeof other);
    got_copy = other.second;
    uintptr_t tagged = (uintptr_t)&c | 1;
    got_tagged = (int *)(tagged & ~(uintptr_t)1);
    both.pointer = &d;
    got_union = (int *)both.number;
    mixed = (uintptr_t)&a ^ (uintptr_t)&b;
    got_xor = (int *)(mixed ^ (uintptr_t)&b);
    return *got_first + *got_xor;
}
