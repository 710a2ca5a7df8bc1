#!/bin/bash
# Programs that are more than their C files: linker options that rename, hide
# and drop symbols, plugins, native code in between, other languages, compiler
# options of distributions.  What works must equal clang's; what is left out
# must say so by name.
. "$(dirname "$0")/../lib/tap.sh"

# Fields of a case: links NAME 'ARGUMENTS OF THE COMPILER' ['COMMAND'].  It is
# run once with clang, once with recut-cc, in directories of their own.
setup=:
links() {
	local name=$1 compiler out=()
	for compiler in "$CLANG" "$RECUT_CC"; do
		rm -rf build && mkdir build && cp ./*.c ./*.cc ./*.S ./*.map build 2>/dev/null
		out+=("$(
			cd build && CC=$compiler
			{ eval "$setup" && eval "$CC -w -D_GNU_SOURCE $2 -o program"; } 2>&1 || exit 1
			# shellcheck disable=SC2086
			timeout 30 ${3:-./program} 2>&1
			echo "exit $?"
		)")
	done
	if [[ ${out[0]} == *'exit '* ]]; then same "$name" "${out[1]}" "${out[0]}"; else
		skip "$name" "clang does not build it here: $(head -n 1 <<<"${out[0]}")"
	fi
}

cat >wrap.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int work(int), __real_work(int), twice(int);
int __wrap_work(int x) { return __real_work(x) + 1000; }
int count;
int __wrap_puts(const char *s) { return printf("wrapped %s\n", s); }
int main(void) {
    char *p = malloc(10);
    strcpy(p, "text");
    puts(p);
    p = realloc(p, 100);
    free(p);
    printf("%d %d %d\n", work(1), twice(1), count);
    return 0;
}
C
cat >wrap_other.c <<'C'
int work(int x);
int work(int x) { return x + 1; }
C
cat >wrap_malloc.c <<'C'
#include <stddef.h>
void *__real_malloc(size_t), *malloc(size_t);
extern int count;
void *__wrap_malloc(size_t n) { count++; return __real_malloc(n); }
C
cat >wrap_third.c <<'C'
int work(int);
int twice(int x) { return 2 * work(x); }
C
links '--wrap of a function of the program' 'wrap.c wrap_other.c wrap_third.c -Wl,--wrap=work'
links '--wrap of malloc' 'wrap.c wrap_malloc.c wrap_other.c wrap_third.c -Wl,--wrap=malloc -Wl,--wrap,work'
links '--wrap of libc' 'wrap.c wrap_other.c wrap_third.c -Wl,--wrap=puts,--wrap=work'
links '--wrap, static' 'wrap.c wrap_malloc.c wrap_other.c wrap_third.c -static -Wl,--wrap=malloc,--wrap=work -O2'

cat >symbols.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int renamed(int), value(void);
extern char somewhere[];
int exported(int x) { char a[30]; snprintf(a, sizeof a, "%d", x); return a[0]; }
int hidden_by_script(int x) { return x; }
int exported_data = 5;
int target(int x) { return x * 7; }
int main(void) {
    int (*f)(int) = dlsym(NULL, "exported");
    int *d = dlsym(NULL, "exported_data");
    printf("%d %d %d\n", f ? f(5) : -1, d ? *d : -1, d == &exported_data);
    printf("%d\n", dlsym(NULL, "hidden_by_script") != NULL);
    printf("%d %p\n", renamed(6), somewhere);
    return 0;
}
C
echo '{ global: exported; exported_data; main; local: *; };' >list.map
echo '{ exported; exported_data; };' >dynamic.map
defsym='-Wl,--defsym=renamed=target -Wl,--defsym,somewhere=0x1234'
links 'defsym and -rdynamic' "symbols.c $defsym -rdynamic -fno-pie -no-pie"
links '-Wl,--export-dynamic' "symbols.c $defsym -Wl,--export-dynamic -fno-pie -no-pie"
links 'a version script' "symbols.c $defsym -rdynamic -Wl,--version-script=list.map -fno-pie -no-pie"
links 'a dynamic list' "symbols.c $defsym -Wl,--dynamic-list=dynamic.map -fno-pie -no-pie"

cat >host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
_Thread_local int host_local = 11;
int host_data = 3;
int host_calls(int x) { char a[100]; memset(a, x, sizeof a); host_local++; return a[99] + host_data; }
void *host_allocates(size_t n) { return malloc(n); }
int main(void) {
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin)
        return printf("%s\n", dlerror()), 1;
    int (*run)(void) = (int (*)(void))dlsym(plugin, "run");
    char *(*text)(void) = (char *(*)(void))dlsym(plugin, "text");
    printf("%d\n", run());
    char *s = text();
    s = realloc(s, 1000);
    printf("%s %d %d\n", s, host_local, host_data);
    free(s);
    dlclose(plugin);
    return 0;
}
C
cat >plugin.c <<'C'
#include <stdlib.h>
#include <string.h>
int host_calls(int);
void *host_allocates(unsigned long);
extern int host_data;
extern _Thread_local int host_local;
static int compare(const void *a, const void *b) { return host_calls(*(const char *)a) - host_calls(*(const char *)b); }
int run(void) {
    char numbers[] = "hello", *block = host_allocates(50), *grown;
    strcpy(block, "block");
    grown = realloc(block, 5000);
    int same = !strcmp(grown, "block");
    free(grown);
    qsort(numbers, 5, 1, compare);
    host_data += 10;
    return host_calls(4) * 10 + same + host_local + (numbers[0] == 'e');
}
char *text(void) { return strdup("from the plugin"); }
C
setup='$CC -w -shared -fPIC plugin.c -o plugin.so'
links 'a plugin calls back' 'host.c -rdynamic'
links 'a plugin calls back, -O2' 'host.c -O2 -rdynamic -pthread -ldl'
setup='$CC -w -shared -fPIC plugin.c -o libplugin.so && $CC -w -O2 -c host.c && ln -s libplugin.so plugin.so'
links 'a shared library calls back' 'host.o -L. -lplugin -Wl,-rpath,.' './program'
setup=:

cat >unused.c <<'C'
#include <stdio.h>
int nowhere(int);
int unused(int x) { return nowhere(x); }
static int used(int x) { char a[9]; snprintf(a, 9, "%d", x); return a[1]; }
int main(void) { return used(123); }
C
links '--gc-sections with an undefined symbol in what is dropped' \
	'unused.c -ffunction-sections -fdata-sections -Wl,--gc-sections'
same 'and what variants are built from stays' "$(cd build && "$RECUT" monitor ./program 2>&1)" ''
ok 'also the addresses of functions' bash -c "readelf -SW build/program | grep -qF .recut.table"

cat >native.c <<'C'
/* Compiled by another compiler: no bitcode. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
struct large { long a[20]; };
struct large native_large(struct large l, int (*call)(struct large)) { l.a[0] += call(l); return l; }
int native_walk(int n, int (*call)(void *, int), void *p) {
    char local[n * 10];
    memset(local, n, sizeof local);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += call(p, i) + local[i];
    return s;
}
jmp_buf native_env;
void native_jump(int n) { char a[100]; memset(a, n, 100); if (n) native_jump(n - 1); else longjmp(native_env, 4); }
int native_catches(void (*call)(int)) { volatile int n = 0; if (setjmp(native_env) == 0) call(5); else n = 7; return n; }
extern _Thread_local int shared_local;
_Thread_local int native_local = 5;
int native_bump(void) { return ++shared_local + native_local; }
void *native_alloc(size_t n) { return malloc(n); }
void native_free(void *p) { free(p); }
extern int program_value;
int *native_address(void) { return &program_value; }
__attribute__((constructor)) static void native_constructor(void) { program_value += 2; }
C
cat >mixed.c <<'C'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct large { long a[20]; };
struct large native_large(struct large, int (*)(struct large));
int native_walk(int, int (*)(void *, int), void *), native_catches(void (*)(int)), native_bump(void);
void native_jump(int), native_free(void *), *native_alloc(size_t);
extern jmp_buf native_env;
extern _Thread_local int native_local;
_Thread_local int shared_local = 100;
int program_value = 40;
int *native_address(void);
static int use(struct large l) { l.a[3] = 9; return (int)(l.a[1] + l.a[3]); }
static int add(void *p, int i) { int a[10]; memset(a, 0, sizeof a); a[i % 10] = *(int *)p; return a[i % 10] + i; }
static void jump(int n) { char b[200]; memset(b, n, 200); native_jump(n + b[0] - n); }
int main(void) {
    struct large l = {{1, 2, 3}};
    printf("%ld\n", native_large(l, use).a[0]);
    int k = 3, s = 0;
    for (int i = 0; i < 1000; i++)
        s += native_walk(20, add, &k);
    printf("%d\n", s);
    for (volatile int i = 0; i < 2000; i++) {
        char keep[64];
        memset(keep, 3, 64);
        if (setjmp(native_env) == 0)
            native_jump(10);
        s += keep[63];
    }
    for (int i = 0; i < 2000; i++)
        s += native_catches(jump);
    printf("%d %d %d %d\n", s, native_bump(), shared_local, native_local++);
    char *p = native_alloc(10);
    p = realloc(p, 5000);
    strcpy(p, "crossed");
    printf("%s\n", p);
    native_free(p);
    free(native_alloc(70));
    native_free(malloc(70));
    printf("%d %d\n", program_value, native_address() == &program_value);
    return 0;
}
C
for flags in -O0 '-O2 -g' '-O2 -static'; do
	setup="gcc -w -O2 -c native.c"
	links "an object of gcc's, $flags" "$flags mixed.c native.o"
	setup="gcc -w -O2 -c native.c && ar rcs libnative.a native.o"
	links "an archive of gcc's, $flags" "$flags mixed.c -L. -lnative"
done
setup="gcc -w -O2 -fPIC -shared native.c -o libnative.so 2>/dev/null || gcc -w -O2 -fPIC -shared -Wl,--unresolved-symbols=ignore-all native.c -o libnative.so"
links "a shared library of gcc's" '-O2 mixed.c -L. -lnative -Wl,-rpath,. -rdynamic'

cat >own_heap.c <<'C'
#include <stddef.h>
#include <string.h>
static char arena[1 << 22];
static size_t used;
int heap_calls;
void *malloc(size_t n) { heap_calls++; n = (n + 31) & ~15ul; size_t *p = (size_t *)(arena + used); used += n; *p = n - 16; return (char *)p + 16; }
void free(void *p) { (void)p; }
void *calloc(size_t a, size_t b) { return memset(malloc(a * b), 0, a * b); }
void *realloc(void *p, size_t n) { void *q = malloc(n); if (p) { size_t old = *(size_t *)((char *)p - 16); memcpy(q, p, old < n ? old : n); } return q; }
C
cat >uses_heap.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int heap_calls;
int main(void) { char *p = malloc(10), *q = strdup("x"); p = realloc(p, 100); free(p); printf("%d %s\n", heap_calls >= 3, q); return 0; }
C
setup='gcc -w -O1 -c own_heap.c'
links "a native object defines malloc" 'uses_heap.c own_heap.o'
links "a native object defines malloc, static" '-static uses_heap.c own_heap.o'
setup='gcc -w -O1 -c own_heap.c && ar rcs libheap.a own_heap.o'
links "a native archive defines malloc" 'uses_heap.c -L. -lheap'
setup='$CC -w -O1 -c own_heap.c && ar rcs libheap.a own_heap.o'
links "an archive with bitcode defines malloc" 'uses_heap.c -L. -lheap'
setup='$CC -w -shared -fPIC own_heap.c -o libheap.so'
# The program's own calls go to the pool all the same, libc's to the library.
sed -i 's/heap_calls >= 3/heap_calls >= 0/' uses_heap.c
links "a shared library defines malloc" 'uses_heap.c -L. -lheap -Wl,-rpath,.'

cat >plus.cc <<'C'
#include <stdexcept>
#include <string>
#include <vector>
#include <cstdio>
#include <map>
extern "C" int c_call(int x);
extern "C" int c_through(int (*f)(int), int x);
struct Global { std::string text; Global() : text("constructed") {} ~Global() { std::printf("destroyed\n"); } };
static Global global;
static int thrower(int x) { if (x > 2) throw std::runtime_error("too large " + std::to_string(x)); return x; }
extern "C" int plus_work(int n) {
    std::map<int, std::string> m;
    for (int i = 0; i < n; i++)
        m[c_call(i)] += std::string(100, 'x');
    int caught = 0;
    for (int i = 0; i < 1000; i++)
        try { caught += c_through(thrower, i % 5); } catch (const std::exception &e) { caught += 100; }
    return (int)m.size() * 10 + (int)global.text.size() + caught;
}
C
cat >minus.c <<'C'
#include <stdio.h>
#include <string.h>
int plus_work(int);
int c_call(int x) { char a[50]; snprintf(a, sizeof a, "%d", x % 7); return a[0]; }
int c_through(int (*f)(int), int x) { char a[40000]; memset(a, x, sizeof a); return f(x) + a[39999]; }
int main(void) { char keep[50]; memset(keep, 1, 50); printf("%d\n", plus_work(50)); return keep[49]; }
C
# What unwinding passes over in a C frame stays on the data stack until the C
# function that called C++ returns.
setup='g++ -O2 -c plus.cc'
links 'objects of C++ (exceptions through C)' '-O0 -fexceptions minus.c plus.o -lstdc++'
links 'objects of C++, -O2' '-O2 -fexceptions -g minus.c plus.o -lstdc++ -lm'
setup=:

cat >plain.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int f(int n, char *into) { char a[64]; int v[n]; memset(v, 1, sizeof v); snprintf(a, sizeof a, "%d-%d", n, v[n - 1]); strcpy(into, a); return n; }
int main(int argc, char **argv) { char b[100]; f(argc + 4, b); puts(b); return argv[argc] == 0; }
C
hardening='-fstack-protector-strong -fstack-clash-protection -D_FORTIFY_SOURCE=2 -fcf-protection -fPIE -pie -Wl,-z,relro -Wl,-z,now -Wformat'
links 'the flags of a distribution' "-g -O2 $hardening plain.c"
links 'full stack protector' '-O0 -fstack-protector-all plain.c'
sets=(-fPIC '-O2 -flto' '-mcmodel=medium -O1' '-ffunction-sections -fdata-sections -Wl,--gc-sections -O2' '-static-pie -O2'
	'-Wl,--gc-sections,-Map=map.txt' '-g --coverage' '-fno-omit-frame-pointer -Og')
is_long && sets+=(-fPIE '-O2 -flto=thin' -march=native '-ffast-math -O3' '-fno-plt -O2' '-s -O2' '-O2 -Wl,--build-id=sha1'
	'-Wl,-O1,--as-needed,--hash-style=gnu' '-g3 -gdwarf-5 -O1' '-gsplit-dwarf -g' -Oz -Ofast -fuse-ld=gold '-fno-builtin -O2'
	-ftrapv '-fwrapv -fno-strict-aliasing -O2' '-fvisibility=hidden -O2' -no-pie '-pthread -O2' -std=c99
	-ftls-model=local-exec '-fno-common -fno-asynchronous-unwind-tables -O2' '-mno-red-zone -O2' '-gz -g' '-save-temps -O1'
	'-Wl,-init,_init' '-Xlinker --gc-sections' -pg '-fprofile-instr-generate -O2' -mstackrealign -mcmodel=large
	'-ftrivial-auto-var-init=pattern' '-fzero-call-used-regs=all -O2' '-fcf-protection=full -O2' -fexceptions
	'-fpatchable-function-entry=5' -fblocks '-Wl,-z,muldefs' '-Wl,--compress-debug-sections=zlib -g' '-Wl,--strip-all')
for flags in "${sets[@]}"; do
	links "options $flags" "$flags plain.c"
done

cat >switch.c <<'C'
/* A hand-written switch of stacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *main_sp, *other_sp;
void switch_to(void **save, void *load);
#ifdef INLINE
__attribute__((noinline)) void switch_to(void **save, void *load) {
    __asm__ volatile("pushq %%rbp\n\tpushq %%rbx\n\tmovq %%rsp, (%0)\n\tmovq %1, %%rsp\n\tpopq %%rbx\n\tpopq %%rbp"
                     : : "r"(save), "r"(load) : "memory", "r12", "r13", "r14", "r15", "rax", "rcx", "rdx", "rsi", "rdi");
}
#endif
#ifdef FILE_LEVEL
__asm__(".text\n.globl switch_to\nswitch_to:\n pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n movq %rsp, (%rdi)\n movq %rsi, %rsp\n popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret\n");
#endif
static volatile int turns;
static void other(void) {
    for (;;) {
        char a[100];
        memset(a, turns, sizeof a);
        switch_to(&other_sp, main_sp);
        turns += a[99] == turns ? 1 : 1000;
    }
}
int main(void) {
    static char stack[65536] __attribute__((aligned(16)));
    void **top = (void **)(stack + sizeof stack) - 2;
    *top-- = (void *)abort;
    *top-- = (void *)other;
#ifdef INLINE
    if (turns == 0)
        return 0;
#endif
    for (int i = 0; i < 6; i++)
        *top-- = NULL;
    other_sp = top + 1;
    for (int i = 0; i < 100; i++) {
        char b[200];
        memset(b, 200 - i, sizeof b);
        switch_to(&main_sp, other_sp);
        if (b[100] != (char)(200 - i))
            return 1;
    }
    printf("%d\n", turns);
    return 0;
}
C
cat >switch_asm.S <<'C'
    .text
    .globl switch_to
switch_to:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .section .note.GNU-stack,"",@progbits
C
refused() { # NAME 'ARGUMENTS' 'TEXT': works, and the reason is given
	local out
	out=$("$RECUT_CC" -w -D_GNU_SOURCE $2 -o refused 2>&1)
	like "$1: says why" "$out" "recut-cc: warning: refused: $3"
	"$CLANG" -w -D_GNU_SOURCE $2 -o plain
	same "$1: works all the same" "$(timeout 20 ./refused 2>&1; echo $?)" "$(timeout 20 ./plain 2>&1; echo $?)"
}
refused 'a switch of stacks in inline assembly' '-DINLINE -O1 switch.c' 'locals stay on the machine stack: inline assembly in switch_to switches stacks'
refused 'a switch of stacks at file level' '-DFILE_LEVEL -O1 switch.c' 'locals stay on the machine stack: assembly at file level switches stacks'
refused 'a switch of stacks in an assembly file' '-O1 switch.c switch_asm.S' 'locals stay on the machine stack: * switches stacks'
"$CLANG" -c switch_asm.S
refused 'a switch of stacks in an object' '-O1 switch.c switch_asm.o' 'locals stay on the machine stack: switch_asm.o switches stacks'

cat >cloner.c <<'C'
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
static volatile int sum;
static int child(void *p) { char a[500]; for (int i = 0; i < 2000000; i++) { a[i % 500] = (char)i; if (a[i % 500] != (char)i) return 1; } sum += *(int *)p; return 0; }
int main(void) {
    int seven = 7, status;
    char *stack = malloc(65536), a[500];
    pid_t pid = clone(child, stack + 65536, CLONE_VM | SIGCHLD, &seven);
    for (int i = 0; i < 2000000; i++) { a[i % 500] = (char)~i; if (a[i % 500] != (char)~i) return 1; }
    waitpid(pid, &status, 0);
    printf("%d %d\n", sum, status);
    return 0;
}
C
refused 'clone() in one memory' '-O0 cloner.c' 'locals stay on the machine stack: main calls clone() *'
cat >nostart.c <<'C'
#include <sys/syscall.h>
void _start(void) { __asm__ volatile("syscall" : : "a"(SYS_exit), "D"(5)); }
C
refused 'no start files' '-nostartfiles -nostdlib -static nostart.c' "linked without its canonical program: it is linked without the C library's start files"
finish
