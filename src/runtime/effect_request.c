/*
 * What do ioctl, fcntl, prctl and the System V *ctl functions write, by their
 * request?  See effect.h.
 *
 * Most requests of ioctl() carry the size of what they point to and its
 * direction in their number (_IOC).  Those from before that was agreed upon are
 * in a table.  What a driver reaches through pointers inside such a structure
 * is not known here.
 */
#include "runtime/effect.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/kd.h>
#include <linux/serial.h>
#include <linux/sockios.h>
#include <linux/vt.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>

/* A request and what it writes at its argument. */
struct request {
    unsigned long number;
    size_t size;
};

static const struct request *find(const struct request *table, size_t count, unsigned long number) {
    for (size_t i = 0; i < count; i++)
        if (table[i].number == number)
            return &table[i];
    return NULL;
}
#define FIND(table, number) find(table, sizeof(table) / sizeof *(table), number)

/* --- ioctl ------------------------------------------------------------------------ */

static const struct request ioctls[] = {
    {TCGETS, sizeof(struct termios)},
    {TCSETS, 0},
    {TCSETSW, 0},
    {TCSETSF, 0},
    {TCGETA, sizeof(struct termio)},
    {TCSETA, 0},
    {TCSETAW, 0},
    {TCSETAF, 0},
    {TIOCGWINSZ, sizeof(struct winsize)},
    {TIOCSWINSZ, 0},
    {TIOCGPGRP, sizeof(int)},
    {TIOCSPGRP, 0},
    {TIOCGSID, sizeof(int)},
    {TIOCOUTQ, sizeof(int)},
    {FIONREAD, sizeof(int)},
    {TIOCMGET, sizeof(int)},
    {TIOCMSET, 0},
    {TIOCMBIS, 0},
    {TIOCMBIC, 0},
    {TIOCGETD, sizeof(int)},
    {TIOCSETD, 0},
    {TIOCGSOFTCAR, sizeof(int)},
    {TIOCSSOFTCAR, 0},
    {TIOCSTI, 0},
    {TIOCPKT, 0},
    {TIOCLINUX, 1},
    {TIOCCONS, 0},
    {TIOCGSERIAL, sizeof(struct serial_struct)},
    {TIOCSSERIAL, 0},
    {TIOCGICOUNT, sizeof(struct serial_icounter_struct)},
    {TIOCSERGETLSR, sizeof(int)},
    {TIOCGLCKTRMIOS, sizeof(struct termios)},
    {TIOCSLCKTRMIOS, 0},
    {KDGETLED, 1},
    {KDGKBTYPE, 1},
    {KDGETMODE, sizeof(int)},
    {KDGKBMODE, sizeof(int)},
    {KDGKBMETA, sizeof(int)},
    {KDGKBLED, 1},
    {KDGKBENT, sizeof(struct kbentry)},
    {KDSKBENT, 0},
    {VT_OPENQRY, sizeof(int)},
    {VT_GETMODE, sizeof(struct vt_mode)},
    {VT_SETMODE, 0},
    {VT_GETSTATE, sizeof(struct vt_stat)},
    {FIONBIO, 0},
    {FIOASYNC, 0},
    {FIOQSIZE, sizeof(long long)},
    {FIOSETOWN, 0},
    {SIOCSPGRP, 0},
    {FIOGETOWN, sizeof(int)},
    {SIOCGPGRP, sizeof(int)},
    {SIOCATMARK, sizeof(int)},
    {SIOCADDRT, 0},
    {SIOCDELRT, 0},
    {SIOCGARP, sizeof(struct arpreq)},
    {SIOCDARP, 0},
    {SIOCSARP, 0},
    {FIBMAP, sizeof(int)},
    {FIGETBSZ, sizeof(int)},
    {BLKROSET, 0},
    {BLKROGET, sizeof(int)},
    {BLKGETSIZE, sizeof(long)},
    {BLKRASET, 0},
    {BLKRAGET, sizeof(long)},
    {BLKFRASET, 0},
    {BLKFRAGET, sizeof(long)},
    {BLKSECTGET, sizeof(short)},
    {BLKSSZGET, sizeof(int)},
    {BLKDISCARD, 0},
    {BLKIOMIN, sizeof(int)},
    {BLKIOOPT, sizeof(int)},
    {BLKALIGNOFF, sizeof(int)},
    {BLKPBSZGET, sizeof(int)},
    {BLKDISCARDZEROES, sizeof(int)},
    {BLKSECDISCARD, 0},
    {BLKROTATIONAL, sizeof(short)},
    {BLKZEROOUT, 0},
};

/* Requests about an interface, which stands in the structure by name; those
 * that pass a pointer on to the driver are not among them. */
static bool is_interface_request(unsigned long request) {
    return (request >= SIOCGIFNAME && request <= SIOCSIFHWBROADCAST && request != SIOCGIFCONF) ||
           request == SIOCGIFINDEX || request == SIOCGIFTXQLEN || request == SIOCGIFMAP ||
           request == SIOCGIFPFLAGS || request == SIOCGIFCOUNT;
}

void __recut_plan_ioctl(struct effect_plan *plan) {
    unsigned long request = (uint32_t)plan->argument[1];
    uint64_t at = plan->argument[2];
    const struct request *known = FIND(ioctls, request);
    if (known) {
        __recut_effect_add(plan, at, known->size);
    } else if (request == SIOCGIFCONF) {
        const struct ifconf *list = (const void *)at;
        __recut_effect_add(plan, at, sizeof *list);
        __recut_effect_add(plan, (uint64_t)list->ifc_buf,
                           list->ifc_len > 0 ? (size_t)list->ifc_len : 0);
    } else if (is_interface_request(request)) {
        __recut_effect_add(plan, at, sizeof(struct ifreq));
    } else if (_IOC_DIR(request) != _IOC_NONE) {
        __recut_effect_add(plan, at, _IOC_DIR(request) & _IOC_READ ? _IOC_SIZE(request) : 0);
    } else if (effect_is_pointer(at)) {
        __recut_effect_refuse(plan, "request", request);
    }
}

void __recut_cut_ioctl(struct effect_plan *plan, int64_t result) {
    (void)result;
    if ((uint32_t)plan->argument[1] != SIOCGIFCONF || plan->count != 2)
        return;
    const struct ifconf *list = plan->areas[0].at;
    size_t used = list->ifc_len > 0 ? (size_t)list->ifc_len : 0;
    if (used < plan->areas[1].size)
        plan->areas[1].size = used;
}

/* --- fcntl ------------------------------------------------------------------------ */

static const struct request fcntls[] = {
    {F_SETLK, 0},
    {F_SETLKW, 0},
    {F_OFD_SETLK, 0},
    {F_OFD_SETLKW, 0},
    {F_GETLK, sizeof(struct flock)},
    {F_OFD_GETLK, sizeof(struct flock)},
    {F_GETOWN_EX, sizeof(struct f_owner_ex)},
    {F_SETOWN_EX, 0},
    {17 /* F_GETOWNER_UIDS */, 2 * sizeof(uint32_t)},
    {F_GET_RW_HINT, sizeof(uint64_t)},
    {F_SET_RW_HINT, 0},
    {F_GET_FILE_RW_HINT, sizeof(uint64_t)},
    {F_SET_FILE_RW_HINT, 0},
    /* Their argument is a number, or they have none and it is what was there. */
    {F_DUPFD, 0},
    {F_DUPFD_CLOEXEC, 0},
    {F_GETFD, 0},
    {F_SETFD, 0},
    {F_GETFL, 0},
    {F_SETFL, 0},
    {F_GETOWN, 0},
    {F_SETOWN, 0},
    {F_GETSIG, 0},
    {F_SETSIG, 0},
    {F_GETLEASE, 0},
    {F_SETLEASE, 0},
    {F_NOTIFY, 0},
    {F_GETPIPE_SZ, 0},
    {F_SETPIPE_SZ, 0},
    {F_GET_SEALS, 0},
    {F_ADD_SEALS, 0},
};

void __recut_plan_fcntl(struct effect_plan *plan) {
    const struct request *known = FIND(fcntls, (uint32_t)plan->argument[1]);
    if (known)
        __recut_effect_add(plan, plan->argument[2], known->size);
    else if (effect_is_pointer(plan->argument[2]))
        __recut_effect_refuse(plan, "command", (uint32_t)plan->argument[1]);
}

enum model_descriptor __recut_descriptor_fcntl(const uint64_t *argument, int *ret_first) {
    *ret_first = (int)argument[0];
    return (int)argument[1] == F_DUPFD || (int)argument[1] == F_DUPFD_CLOEXEC ? MODEL_DUPLICATES
                                                                              : MODEL_NO_DESCRIPTOR;
}

/* --- prctl ------------------------------------------------------------------------ */

static const struct request prctls[] = {
    {PR_GET_NAME, 16},
    {PR_SET_NAME, 0},
    {PR_GET_PDEATHSIG, sizeof(int)},
    {PR_GET_UNALIGN, sizeof(int)},
    {PR_GET_FPEMU, sizeof(int)},
    {PR_GET_FPEXC, sizeof(int)},
    {PR_GET_ENDIAN, sizeof(int)},
    {PR_GET_TSC, sizeof(int)},
    {PR_GET_CHILD_SUBREAPER, sizeof(int)},
    {PR_SET_PDEATHSIG, 0},
    {PR_SET_DUMPABLE, 0},
    {PR_GET_DUMPABLE, 0},
    {PR_SET_KEEPCAPS, 0},
    {PR_GET_KEEPCAPS, 0},
    {PR_CAPBSET_READ, 0},
    {PR_CAPBSET_DROP, 0},
    {PR_GET_SECUREBITS, 0},
    {PR_SET_SECUREBITS, 0},
    {PR_SET_TIMERSLACK, 0},
    {PR_GET_TIMERSLACK, 0},
    {PR_SET_NO_NEW_PRIVS, 0},
    {PR_GET_NO_NEW_PRIVS, 0},
    {PR_SET_CHILD_SUBREAPER, 0},
    {PR_SET_PTRACER, 0},
    {PR_SET_THP_DISABLE, 0},
    {PR_GET_THP_DISABLE, 0},
    {PR_SET_MM, 0},
    {PR_SET_VMA, 0},
};

void __recut_plan_prctl(struct effect_plan *plan) {
    unsigned option = (unsigned)plan->argument[0];
    const struct request *known = FIND(prctls, option);
    if (option == PR_SET_SECCOMP)
        plan->refused = "a seccomp filter would meet the calls of the recorder";
    else if (known)
        __recut_effect_add(plan, plan->argument[1], known->size);
    else if (effect_is_pointer(plan->argument[1]) || effect_is_pointer(plan->argument[2]))
        __recut_effect_refuse(plan, "option", option);
}

/* --- System V --------------------------------------------------------------------- */

union semaphore_argument {
    int value;
    struct semid_ds *status;
    uint64_t bits;
};

/* How many semaphores a set has. */
static size_t semaphore_count(int id) {
    struct semid_ds status;
    union semaphore_argument argument = {.status = &status};
    return semctl(id, 0, IPC_STAT, argument) == 0 ? status.sem_nsems : 0;
}

void __recut_plan_semctl(struct effect_plan *plan) {
    switch ((int)plan->argument[2]) {
    case IPC_STAT:
    case SEM_STAT:
    case SEM_STAT_ANY:
        __recut_effect_add(plan, plan->argument[3], sizeof(struct semid_ds));
        break;
    case IPC_INFO:
    case SEM_INFO:
        __recut_effect_add(plan, plan->argument[3], sizeof(struct seminfo));
        break;
    case GETALL:
        __recut_effect_add(plan, plan->argument[3],
                           semaphore_count((int)plan->argument[0]) * sizeof(short));
        break;
    case IPC_RMID:
    case IPC_SET:
    case SETALL:
    case SETVAL:
    case GETVAL:
    case GETPID:
    case GETNCNT:
    case GETZCNT:
        break;
    default:
        __recut_effect_refuse(plan, "command", (uint32_t)plan->argument[2]);
    }
}

void __recut_plan_shmctl(struct effect_plan *plan) {
    switch ((int)plan->argument[1]) {
    case IPC_STAT:
    case SHM_STAT:
    case SHM_STAT_ANY:
        __recut_effect_add(plan, plan->argument[2], sizeof(struct shmid_ds));
        break;
    case IPC_INFO:
        __recut_effect_add(plan, plan->argument[2], sizeof(struct shminfo));
        break;
    case SHM_INFO:
        __recut_effect_add(plan, plan->argument[2], sizeof(struct shm_info));
        break;
    case IPC_RMID:
    case IPC_SET:
    case SHM_LOCK:
    case SHM_UNLOCK:
        break;
    default:
        __recut_effect_refuse(plan, "command", (uint32_t)plan->argument[1]);
    }
}

void __recut_plan_msgctl(struct effect_plan *plan) {
    switch ((int)plan->argument[1]) {
    case IPC_STAT:
    case MSG_STAT:
    case MSG_STAT_ANY:
        __recut_effect_add(plan, plan->argument[2], sizeof(struct msqid_ds));
        break;
    case IPC_INFO:
    case MSG_INFO:
        __recut_effect_add(plan, plan->argument[2], sizeof(struct msginfo));
        break;
    case IPC_RMID:
    case IPC_SET:
        break;
    default:
        __recut_effect_refuse(plan, "command", (uint32_t)plan->argument[1]);
    }
}

/* --- select ----------------------------------------------------------------------- */

/* Sets may be larger than their type. */
void __recut_plan_select(struct effect_plan *plan) {
    size_t known = sizeof(fd_set), all = (size_t)((uint32_t)plan->argument[0] + 63) / 64 * 8;
    for (unsigned set = 1; set < 4 && (int)plan->argument[0] > 0 && all > known; set++)
        if (plan->argument[set])
            __recut_effect_add(plan, plan->argument[set] + known, all - known);
}

/* --- mincore ---------------------------------------------------------------------- */

void __recut_plan_mincore(struct effect_plan *plan) {
    __recut_effect_add(plan, plan->argument[2], (plan->argument[1] + 4095) / 4096);
}
