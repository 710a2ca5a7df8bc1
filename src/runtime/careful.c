/* How is memory read that may not be there?  See careful.h. */
#include "runtime/careful.h"

#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { frame, label, stack, words = 5 }; /* of what __builtin_setjmp() fills in */

static _Thread_local void **volatile place; /* the handler looks at it at any moment */

__attribute__((noinline)) bool __recut_carefully(void (*read)(void *data), void *data) {
    void *buffer[words], **volatile outer = place;
    if (__builtin_setjmp(buffer)) {
        place = outer;
        return false;
    }
    place = buffer;
    __asm__ volatile("" ::: "memory");
    read(data);
    __asm__ volatile("" ::: "memory");
    place = outer;
    return true;
}

bool __recut_careful_fault(void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    void **behind = place;
    if (!behind)
        return false;
    registers[REG_RBP] = (greg_t)behind[frame];
    registers[REG_RIP] = (greg_t)behind[label];
    registers[REG_RSP] = (greg_t)behind[stack];
    return true;
}

struct bytes_at {
    const char *at;
    size_t size;
};

static void touch(void *data) {
    const struct bytes_at *bytes = data;
    enum { page = 4096 };
    for (size_t i = 0; i < bytes->size; i += page - ((uintptr_t)(bytes->at + i) % page))
        (void)*(const volatile char *)(bytes->at + i);
}

bool __recut_can_read(const void *at, size_t size) {
    return at && __recut_carefully(touch, &(struct bytes_at){at, size});
}

static void measure(void *data) {
    struct bytes_at *bytes = data;
    bytes->size = strlen(bytes->at);
}

bool __recut_can_read_string(const char *at) {
    return at && __recut_carefully(measure, &(struct bytes_at){at, 0});
}

static void measure_all(void *data) {
    volatile size_t all = 0;
    for (char *const *at = data; *at; at++)
        all += strlen(*at);
}

bool __recut_can_read_strings(char *const *at) {
    return at && __recut_carefully(measure_all, (void *)(uintptr_t)at);
}
