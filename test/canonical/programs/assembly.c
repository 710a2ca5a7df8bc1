/* Inline assembly: memory operands on locals, cpuid, reading the stack
 * pointer, goto out of assembly, register variables, a file-level function,
 * pushes and pops, string instructions. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int add_in_memory(int a, int b) {
    int local[3] = {a, b, 0};
    __asm__("movl %1, %%eax\n\taddl %2, %%eax\n\tmovl %%eax, %0"
            : "=m"(local[2]) : "m"(local[0]), "m"(local[1]) : "eax", "cc");
    return local[2];
}

static int cpu_name(char *into) {
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    memcpy(into, &b, 4), memcpy(into + 4, &d, 4), memcpy(into + 8, &c, 4);
    into[12] = '\0';
    return a > 0;
}

static int stack_grows_down(void) {
    uintptr_t sp;
    __asm__ volatile("movq %%rsp, %0" : "=r"(sp));
    return sp <= (uintptr_t)__builtin_frame_address(0);
}

static int jump_out(int x) {
    __asm__ goto("testl %0, %0\n\tjz %l1" : : "r"(x) : "cc" : zero);
    return 1;
zero:
    return 0;
}

static long multiply(long a, long b) {
    register long x __asm__("rbx") = a;
    __asm__("imulq %1, %0" : "+r"(x) : "r"(b) : "cc");
    return x;
}

static void copy(char *to, const char *from, size_t n) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static unsigned long flags(void) {
    unsigned long f;
    __asm__ volatile("subq $128, %%rsp\n\tpushfq\n\tpopq %0\n\taddq $128, %%rsp" : "=r"(f) : : "cc");
    return f & 2;
}

static uint64_t xchg(uint64_t *p, uint64_t v) {
    __asm__ volatile("xchgq %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

int whole_function(int, int);
__asm__(".text\n.globl whole_function\n.type whole_function,@function\nwhole_function:\n"
        "    pushq %rbx\n    movl %edi, %ebx\n    leal (%rbx,%rsi,4), %eax\n    popq %rbx\n    ret\n"
        ".size whole_function, .-whole_function\n");

__attribute__((naked)) static long naked_add(long a, long b) {
    __asm__("leaq (%rdi,%rsi), %rax\n\tret");
}

int main(void) {
    char name[13], from[20] = "copied by rep movsb", to[20];
    printf("%d\n", add_in_memory(3, 4));
    printf("%d %zu\n", cpu_name(name), strlen(name));
    printf("%d\n", stack_grows_down());
    printf("%d %d\n", jump_out(0), jump_out(5));
    printf("%ld\n", multiply(6, 7));
    copy(to, from, sizeof from);
    puts(to);
    printf("%lu\n", flags());
    uint64_t cell = 5, got = xchg(&cell, 9);
    printf("%d %d\n", (int)got, (int)cell);
    printf("%d\n", whole_function(3, 10));
    printf("%ld\n", naked_add(20, 22));
    return 0;
}
