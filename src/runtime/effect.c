/* Which functions have effects that follow from a value?  See effect.h. */
#include "runtime/effect.h"

#include <string.h>

#include "runtime/raw.h"

static const struct effect effects[] = {
    {"ioctl", .plan = __recut_plan_ioctl, .cut = __recut_cut_ioctl},
    {"fcntl", .plan = __recut_plan_fcntl, .descriptor = __recut_descriptor_fcntl},
    {"fcntl64", .plan = __recut_plan_fcntl, .descriptor = __recut_descriptor_fcntl},
    {"__fcntl", .plan = __recut_plan_fcntl, .descriptor = __recut_descriptor_fcntl},
    {"prctl", .plan = __recut_plan_prctl},
    {"semctl", .plan = __recut_plan_semctl},
    {"shmctl", .plan = __recut_plan_shmctl},
    {"msgctl", .plan = __recut_plan_msgctl},
    {"syscall", .plan = __recut_plan_syscall, .cut = __recut_cut_syscall,
     .descriptor = __recut_descriptor_syscall, .echo = __recut_echo_syscall,
     .model = __recut_model_syscall},
    {"select", .plan = __recut_plan_select},
    {"__select", .plan = __recut_plan_select},
    {"pselect", .plan = __recut_plan_select, .mask = 6},
    {"ppoll", .mask = 4},
    {"__ppoll_chk", .mask = 4},
    {"epoll_pwait", .mask = 5},
    {"epoll_pwait2", .mask = 5},
    {"sigsuspend", .mask = 1},
    {"__sigsuspend", .mask = 1},
    {"mincore", .plan = __recut_plan_mincore},
    {"recvmsg", .plan = __recut_plan_recvmsg, .cut = __recut_cut_recvmsg},
    {"recvmmsg", .plan = __recut_plan_recvmmsg, .cut = __recut_cut_recvmmsg},
    {"system", .invite = __recut_invite_command},
    {"popen", .invite = __recut_invite_command},
    {"posix_spawn", .invite = __recut_invite_spawn},
    {"posix_spawnp", .invite = __recut_invite_spawn},
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
