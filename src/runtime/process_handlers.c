/* What does a program want done around a fork()?  See process_handlers.h. */
#include "runtime/process_handlers.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "runtime/raw.h"
#include "runtime/special_data.h"

struct handlers {
    void (*prepare)(void), (*parent)(void), (*child)(void);
};

static struct handlers *list;
static size_t count, room;
static _Thread_local bool do_rest;

void __recut_handlers_prepare(void) {
    for (size_t i = count; i-- > 0;)
        if (list[i].prepare)
            list[i].prepare();
}

void __recut_handlers_parent(void) {
    for (size_t i = 0; i < count; i++)
        if (list[i].parent)
            list[i].parent();
}

void __recut_handlers_child(void) {
    for (size_t i = 0; i < count; i++)
        if (list[i].child)
            list[i].child();
}

void __recut_handlers_rest(bool rest) { do_rest = rest; }

/* --- by libc ----------------------------------------------------------------------------- */

static void on_prepare(void) {
    if (!do_rest)
        __recut_handlers_prepare();
}

static void on_parent(void) {
    if (!do_rest)
        __recut_handlers_parent();
}

/* The log is the parent's. */
static void on_child(void) {
    if (do_rest)
        return;
    if (__recut_env_mode == ENV_RECORD)
        __recut_env_leave();
    __recut_handlers_child();
}

/* --- the list ---------------------------------------------------------------------------- */

static int add(struct handlers handlers, uint64_t place) {
    enum { first_room = 64 };
    SECTION(place);
    if (!room && pthread_atfork(on_prepare, on_parent, on_child) != 0)
        return ENOMEM;
    if (count == room) {
        size_t more = room ? 2 * room : first_room;
        struct handlers *larger = raw_scratch(more * sizeof *larger);
        if (!larger)
            return ENOMEM;
        if (count)
            memcpy(larger, list, count * sizeof *larger);
        raw_scratch_end(list, room * sizeof *list);
        list = larger;
        room = more;
    }
    list[count++] = handlers;
    return 0;
}

int __recut_special_pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
int __recut_special_pthread_atfork(void (*prepare)(void), void (*parent)(void),
                                   void (*child)(void)) {
    return add((struct handlers){prepare, parent, child}, HERE);
}

/* The same of a shared object, which a program never unloads itself from. */
int __recut_special___register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);
int __recut_special___register_atfork(void (*prepare)(void), void (*parent)(void),
                                      void (*child)(void), void *module) {
    (void)module;
    return add((struct handlers){prepare, parent, child}, HERE);
}
