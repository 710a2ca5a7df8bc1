#include <stdatomic.h>
#include <stdio.h>
/* Environment counts, and the part reads how far it is: no replay has the counter. */
_Atomic unsigned counter, last;
__attribute__((noinline)) unsigned counted(unsigned seed) {
    return seed * 31 + atomic_load(&counter) + atomic_exchange(&last, seed);
}
__attribute__((noinline)) void count(unsigned by) {
    atomic_fetch_add(&counter, by);
    atomic_fetch_add(&last, by);
}
int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 100; i++) {
        count(i);
        sum = counted(sum);
    }
    return (int)(sum % 200) + 3;
}
