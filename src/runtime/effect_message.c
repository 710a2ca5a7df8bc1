/*
 * Which buffers does recvmsg() fill, and how far?  See effect.h.
 *
 * The areas of one message: address, control data, then its buffers in order.
 * Descriptors that arrive with a message (SCM_RIGHTS) are numbers in its
 * control data and need nothing more.
 */
#include "runtime/effect.h"

#include <sys/socket.h>
#include <sys/uio.h>

static void plan_message(struct effect_plan *plan, const struct msghdr *message) {
    __recut_effect_add(plan, (uint64_t)message->msg_name, message->msg_namelen);
    __recut_effect_add(plan, (uint64_t)message->msg_control, message->msg_controllen);
    for (size_t i = 0; i < message->msg_iovlen; i++)
        __recut_effect_add(plan, (uint64_t)message->msg_iov[i].iov_base,
                           message->msg_iov[i].iov_len);
}

static void limit(struct effect_area *area, size_t size) {
    if (size < area->size)
        area->size = size;
}

/* Cuts the areas of one message, from `next` on; the first area behind them. */
static unsigned cut_message(struct effect_plan *plan, unsigned next, const struct msghdr *message,
                            size_t received) {
    struct effect_area *areas = plan->areas;
    if (next < plan->count && areas[next].at == message->msg_name)
        limit(&areas[next++], message->msg_namelen);
    if (next < plan->count && areas[next].at == message->msg_control)
        limit(&areas[next++], message->msg_controllen);
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        const struct iovec *part = &message->msg_iov[i];
        if (!part->iov_base || !part->iov_len)
            continue;
        size_t size = received < part->iov_len ? received : part->iov_len;
        areas[next++].size = size;
        received -= size;
    }
    return next;
}

void __recut_plan_recvmsg(struct effect_plan *plan) {
    plan_message(plan, (const struct msghdr *)plan->argument[1]);
}

void __recut_cut_recvmsg(struct effect_plan *plan, int64_t result) {
    cut_message(plan, 0, (const struct msghdr *)plan->argument[1], (size_t)result);
}

void __recut_plan_recvmmsg(struct effect_plan *plan) {
    const struct mmsghdr *messages = (const void *)plan->argument[1];
    for (unsigned i = 0; i < (unsigned)plan->argument[2] && !plan->refused; i++)
        plan_message(plan, &messages[i].msg_hdr);
}

void __recut_cut_recvmmsg(struct effect_plan *plan, int64_t result) {
    const struct mmsghdr *messages = (const void *)plan->argument[1];
    unsigned next = 0;
    for (unsigned i = 0; i < (unsigned)result; i++)
        next = cut_message(plan, next, &messages[i].msg_hdr, messages[i].msg_len);
    plan->count = next;
}
