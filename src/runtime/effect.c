/* Which functions have effects that follow from a value?  See effect.h. */
#include "runtime/effect.h"

#include <string.h>

#include "runtime/raw.h"

static const struct effect effects[] = {
    {"ioctl", __recut_plan_ioctl, __recut_cut_ioctl, NULL, NULL},
    {"fcntl", __recut_plan_fcntl, NULL, __recut_descriptor_fcntl, NULL},
    {"fcntl64", __recut_plan_fcntl, NULL, __recut_descriptor_fcntl, NULL},
    {"__fcntl", __recut_plan_fcntl, NULL, __recut_descriptor_fcntl, NULL},
    {"prctl", __recut_plan_prctl, NULL, NULL, NULL},
    {"semctl", __recut_plan_semctl, NULL, NULL, NULL},
    {"shmctl", __recut_plan_shmctl, NULL, NULL, NULL},
    {"msgctl", __recut_plan_msgctl, NULL, NULL, NULL},
    {"syscall", __recut_plan_syscall, __recut_cut_syscall, __recut_descriptor_syscall,
     __recut_echo_syscall},
    {"mincore", __recut_plan_mincore, NULL, NULL, NULL},
    {"recvmsg", __recut_plan_recvmsg, __recut_cut_recvmsg, NULL, NULL},
    {"recvmmsg", __recut_plan_recvmmsg, __recut_cut_recvmmsg, NULL, NULL},
};

const struct effect *__recut_effect_find(const char *name) {
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (strcmp(effects[i].name, name) == 0)
            return &effects[i];
    return NULL;
}

void __recut_effect_add(struct effect_plan *plan, uint64_t at, size_t size) {
    if (!at || !size)
        return;
    if (plan->count == effect_most) {
        plan->refused = "too many buffers in one call";
        return;
    }
    plan->areas[plan->count++] = (struct effect_area){(void *)at, size};
}

void __recut_effect_refuse(struct effect_plan *plan, const char *what, uint64_t number) {
    static char text[96];
    char digits[24];
    const char *decimal = __recut_decimal(number, digits);
    size_t length = strlen(what);
    if (length > sizeof text - sizeof digits - 40)
        length = sizeof text - sizeof digits - 40;
    memcpy(text, what, length);
    strcpy(text + length, " ");
    strcat(text, decimal);
    strcat(text, " has no model");
    plan->refused = text;
    plan->is_tried = true;
}
