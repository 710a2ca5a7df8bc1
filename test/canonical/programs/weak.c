/* Weak symbols, defined, undefined, overridden by another file; aliases; a
 * weak alias; a symbol that only assembly names; used and section attributes;
 * __start_ and __stop_; hidden and protected visibility. */
/* sources: weak.c parts/weak_other.c */
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) int overridden(void) { return 1; }
__attribute__((weak)) int kept(void) { return 2; }
__attribute__((weak)) int never_defined(int);
extern int never_defined_data __attribute__((weak));
__attribute__((weak)) int weak_data = 3;
int strong_data_user(void);

static int implementation(int x) { return x * 2; }
int aliased(int) __attribute__((alias("implementation")));
int weakly_aliased(int) __attribute__((weak, alias("implementation")));
static int hidden_value = 11;
extern int value_alias __attribute__((alias("hidden_value")));

struct entry { const char *name; int (*call)(int); };
#define REGISTER(name_, call_)                                                                    \
    static const struct entry entry_##name_ __attribute__((used, section("registry"))) = {#name_, call_}
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
REGISTER(twice, twice);
REGISTER(thrice, thrice);
REGISTER(aliased, aliased);
extern const struct entry __start_registry[], __stop_registry[];
extern char __start_no_such_section[] __attribute__((weak));

__attribute__((used)) static int only_from_assembly(int x) {
    volatile int local[4] = {x, 1, 2, 3};
    return local[0] + local[3];
}
int call_by_assembly(int);
__asm__(".text\n.globl call_by_assembly\n.type call_by_assembly, @function\n"
        "call_by_assembly:\n    subq $8, %rsp\n    call only_from_assembly\n    addq $8, %rsp\n    ret\n"
        ".data\n.globl assembly_data\nassembly_data: .long 1234\n.text\n");
extern int assembly_data;

__attribute__((visibility("hidden"))) int hidden_function(void) { return 21; }
__attribute__((visibility("protected"))) int protected_function(void) { return 22; }

int main(void) {
    printf("%d %d %d %d\n", overridden(), kept(), never_defined != NULL, &never_defined_data != NULL);
    printf("%d %d\n", weak_data, strong_data_user());
    printf("%d %d %d\n", aliased(4), weakly_aliased(5), value_alias);
    value_alias = 12;
    printf("%d\n", hidden_value);
    for (const struct entry *e = __start_registry; e < __stop_registry; e++)
        printf("%s %d\n", e->name, e->call(7));
    printf("%d\n", __start_no_such_section == NULL);
    printf("%d %d\n", call_by_assembly(5), assembly_data);
    printf("%d %d\n", hidden_function(), protected_function());
    return 0;
}
