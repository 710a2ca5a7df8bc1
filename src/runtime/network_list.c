/*
 * Lists that the resolver and the interfaces give: getaddrinfo, getifaddrs,
 * if_nameindex, and the functions that free them.
 *
 * A list is one block of the pool (special_data.h), its head at the beginning
 * behind a mark that tells it from a list of libc's, so freeing the list frees
 * that.  A program that takes a list apart may not free its tail by itself.
 */
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "runtime/owned.h"
#include "runtime/special_data.h"

/* A block that is filled from its beginning; without one, its size is found. */
struct filler {
    char *block;
    size_t used;
};

static const char mark[16] = "a list of recut";

/* Room for a copy; NULL while sizes are added up. */
static void *room(struct filler *to, size_t size) {
    size_t at = (to->used + 15) & ~(size_t)15;
    to->used = at + size;
    return to->block ? to->block + at : NULL;
}

/* A block as large as was found, or one to find how large with. */
static struct filler new_list(size_t size) {
    struct filler list = {size ? owned_malloc(size) : NULL, sizeof mark};
    if (list.block)
        memcpy(list.block, mark, sizeof mark);
    return list;
}

static void *head_of(char *block) { return block ? block + sizeof mark : NULL; }

static void *copy(struct filler *to, const void *from, size_t size) {
    void *at = from ? room(to, size) : NULL;
    return at ? memcpy(at, from, size) : NULL;
}

static char *copy_text(struct filler *to, const char *text) {
    return copy(to, text, text ? strlen(text) + 1 : 0);
}

/* --- getaddrinfo -------------------------------------------------------------------- */

static void copy_addresses(struct filler *to, const struct addrinfo *from) {
    struct addrinfo *last = NULL;
    for (; from; from = from->ai_next) {
        struct addrinfo *node = copy(to, from, sizeof *from);
        struct sockaddr *address = copy(to, from->ai_addr, from->ai_addrlen);
        char *name = copy_text(to, from->ai_canonname);
        if (!node)
            continue;
        node->ai_addr = address;
        node->ai_canonname = name;
        node->ai_next = NULL;
        if (last)
            last->ai_next = node;
        last = node;
    }
}

int __recut_special_getaddrinfo(const char *, const char *, const struct addrinfo *,
                                struct addrinfo **);
int __recut_special_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                                struct addrinfo **ret) {
    int old = errno;
    if (__recut_env_mode == ENV_REPLAY) {
        struct log_reader *log = __recut_special_read(SPECIAL_getaddrinfo, HERE);
        __recut_special_text(log, "node", node);
        __recut_special_text(log, "service", service);
        __recut_special_hash(log, "hints", hints, sizeof *hints);
        int result = (int)__recut_special_take_result(log);
        struct addrinfo *list = head_of(__recut_special_take_block(log));
        if (result == 0)
            *ret = list;
        __recut_special_done(log);
        return result;
    }
    struct addrinfo *real = NULL;
    int result = REAL(getaddrinfo)(node, service, hints, &real), error = errno;
    struct filler list = {NULL, 0};
    if (result == 0) {
        list = new_list(0);
        copy_addresses(&list, real);
        list = new_list(list.used);
        copy_addresses(&list, real);
        void (*release)(struct addrinfo *) = REAL(freeaddrinfo);
        if (release) /* a program that never frees has no way to */
            release(real);
        *ret = head_of(list.block);
    }
    errno = error;
    unsigned char *p = __recut_special_write(SPECIAL_getaddrinfo, HERE, old,
                                             100 + __recut_special_text_bound(node) +
                                                 __recut_special_text_bound(service) + list.used);
    if (p) {
        p = __recut_special_put_text(__recut_special_put_text(p, node), service);
        p = __recut_special_put_hash(p, hints, sizeof *hints);
        p = __recut_special_result(p, result, old);
        __recut_special_end(__recut_special_put_object(p, list.block, list.used));
    }
    return result;
}

/* Freeing is the pool's business and leaves no event.  A list from before or after
 * the recording is libc's. */
#define FREE(name, type)                                                                           \
    void __recut_special_##name(type *);                                                           \
    void __recut_special_##name(type *list) {                                                      \
        char *block = (char *)list - sizeof mark;                                                  \
        if (list && memcmp(block, mark, sizeof mark) == 0)                                         \
            owned_free(block);                                                                     \
        else if (list)                                                                             \
            REAL(name)(list);                                                                      \
    }
FREE(freeaddrinfo, struct addrinfo)
FREE(freeifaddrs, struct ifaddrs)
FREE(if_freenameindex, struct if_nameindex)

/* --- getifaddrs --------------------------------------------------------------------- */

static size_t address_size(const struct sockaddr *address) {
    switch (address ? address->sa_family : AF_UNSPEC) {
    case AF_UNSPEC:
        return address ? sizeof *address : 0;
    case AF_INET6:
        return sizeof(struct sockaddr_in6);
    case AF_PACKET:
        return sizeof(struct sockaddr_ll);
    default:
        return sizeof *address;
    }
}

static struct sockaddr *copy_address(struct filler *to, const struct sockaddr *from) {
    return copy(to, from, address_size(from));
}

static void copy_interfaces(struct filler *to, const struct ifaddrs *from) {
    struct ifaddrs *last = NULL;
    for (; from; from = from->ifa_next) {
        struct ifaddrs *node = copy(to, from, sizeof *from);
        char *name = copy_text(to, from->ifa_name);
        struct sockaddr *address = copy_address(to, from->ifa_addr),
                        *mask = copy_address(to, from->ifa_netmask),
                        *other = copy_address(to, from->ifa_dstaddr);
        /* Counters, which only an interface's own entry has. */
        bool counts = from->ifa_addr && from->ifa_addr->sa_family == AF_PACKET;
        void *data = copy(to, counts ? from->ifa_data : NULL, sizeof(struct rtnl_link_stats));
        if (!node)
            continue;
        node->ifa_name = name;
        node->ifa_addr = address;
        node->ifa_netmask = mask;
        node->ifa_dstaddr = other;
        node->ifa_data = data;
        node->ifa_next = NULL;
        if (last)
            last->ifa_next = node;
        last = node;
    }
}

int __recut_special_getifaddrs(struct ifaddrs **);
int __recut_special_getifaddrs(struct ifaddrs **ret) {
    int old = errno;
    if (__recut_env_mode == ENV_REPLAY) {
        struct log_reader *log = __recut_special_read(SPECIAL_getifaddrs, HERE);
        int result = (int)__recut_special_take_result(log);
        struct ifaddrs *list = head_of(__recut_special_take_block(log));
        if (result == 0)
            *ret = list;
        __recut_special_done(log);
        return result;
    }
    struct ifaddrs *real = NULL;
    int result = REAL(getifaddrs)(&real), error = errno;
    struct filler list = {NULL, 0};
    if (result == 0) {
        list = new_list(0);
        copy_interfaces(&list, real);
        list = new_list(real ? list.used : 0);
        copy_interfaces(&list, real);
        void (*release)(struct ifaddrs *) = REAL(freeifaddrs);
        if (release)
            release(real);
        *ret = head_of(list.block);
    }
    errno = error;
    unsigned char *p = __recut_special_write(SPECIAL_getifaddrs, HERE, old, 64 + list.used);
    if (p) {
        p = __recut_special_result(p, result, old);
        __recut_special_end(__recut_special_put_object(p, list.block, list.used));
    }
    return result;
}

/* --- if_nameindex ------------------------------------------------------------------- */

static void copy_names(struct filler *to, const struct if_nameindex *from) {
    size_t count = 0;
    while (from[count].if_index || from[count].if_name)
        count++;
    struct if_nameindex *list = copy(to, from, (count + 1) * sizeof *from);
    for (size_t i = 0; i < count; i++) {
        char *name = copy_text(to, from[i].if_name);
        if (list)
            list[i].if_name = name;
    }
}

struct if_nameindex *__recut_special_if_nameindex(void);
struct if_nameindex *__recut_special_if_nameindex(void) {
    int old = errno;
    if (__recut_env_mode == ENV_REPLAY) {
        struct log_reader *log = __recut_special_read(SPECIAL_if_nameindex, HERE);
        __recut_special_take_result(log);
        struct if_nameindex *list = head_of(__recut_special_take_block(log));
        __recut_special_done(log);
        return list;
    }
    struct if_nameindex *real = REAL(if_nameindex)();
    int error = errno;
    struct filler list = {NULL, 0};
    if (real) {
        list = new_list(0);
        copy_names(&list, real);
        list = new_list(list.used);
        copy_names(&list, real);
        void (*release)(struct if_nameindex *) = REAL(if_freenameindex);
        if (release)
            release(real);
    }
    errno = error;
    unsigned char *p = __recut_special_write(SPECIAL_if_nameindex, HERE, old, 64 + list.used);
    if (p) {
        p = __recut_special_result(p, (intptr_t)head_of(list.block), old);
        __recut_special_end(__recut_special_put_object(p, list.block, list.used));
    }
    return head_of(list.block);
}
