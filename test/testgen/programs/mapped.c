/* Memory that is mapped and hardly touched; and a coroutine, which has stacks of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

struct map {
    char *cells;
    size_t size;
    int *row;
};
static ucontext_t first, second;
static struct map map;

static __attribute__((noinline)) int look(struct map *m, size_t at) {
    volatile int none = m->cells[at] + m->cells[at / 2];
#ifdef FIXED
    if (!m->row)
        return none;
#endif
    return none + m->row[none];
}

static __attribute__((noinline)) int explore(size_t size) {
    int *more = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return look(&map, map.size - 1) + more[size / sizeof *more - 1];
}

static void routine(void) { map.size -= (size_t)explore(1 << 20); }

int main(void) {
    enum { stack_size = 1 << 17 };
    map.size = 1 << 21;
    map.cells = mmap(NULL, map.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    map.cells[0] = 3;
    getcontext(&second);
    second.uc_stack.ss_sp = malloc(stack_size);
    second.uc_stack.ss_size = stack_size;
    second.uc_link = &first;
    makecontext(&second, routine, 0);
    swapcontext(&first, &second);
    printf("%zu\n", map.size);
    return 0;
}
