/* Which processes does a trace have?  See processes.h. */
#include "trace/processes.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "trace/trace.h"

/* "name number\n", one after the other. */
static bool parse(const char *text, struct trace_process *process) {
    while (*text) {
        char name[16];
        uint64_t number;
        int length = 0;
        if (sscanf(text, "%15[a-z] %" SCNu64 "%n", name, &number, &length) != 2 ||
            text[length] != '\n')
            return false;
        if (strcmp(name, "pid") == 0)
            process->pid = number;
        else if (strcmp(name, "parent") == 0)
            process->parent = number;
        else if (strcmp(name, "thread") == 0)
            process->thread = number;
        else if (strcmp(name, "event") == 0)
            process->event = number;
        text += length + 1;
    }
    return process->pid != 0;
}

/* The pid of "pid.4711"; 0 for another name. */
static uint64_t pid_of(const char *name) {
    size_t prefix = strlen(TRACE_CHILD_PREFIX);
    if (strncmp(name, TRACE_CHILD_PREFIX, prefix) != 0 || name[prefix] == '0')
        return 0;
    const char *digits = name + prefix;
    size_t length = strspn(digits, "0123456789");
    return length <= 10 && !digits[length] ? strtoull(digits, NULL, 10) : 0;
}

/* Does a program begin there, not only a process? */
static bool has_header(const char *path) {
    char *header CLEANUP_FREE = mem_printf("%s/%s", path, TRACE_HEADER_NAME);
    struct stat st;
    return lstat(header, &st) == 0 && S_ISREG(st.st_mode);
}

/* What a directory says of its process; `pid` is the one in its name, 0 if it has none there. */
static struct trace_process read_process(const char *path, uint64_t pid) {
    char *file CLEANUP_FREE = mem_printf("%s/%s", path, TRACE_PROCESS_NAME);
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct trace_process process = {0};
    struct error *err CLEANUP_ERROR = io_read_file(file, &text, &size);
    const char *wrong = NULL;
    if (err)
        wrong = access(file, F_OK) != 0 ? "is missing" : "cannot be read";
    else if (strlen(text) != size || !parse(text, &process) ||
             (pid && (process.pid != pid || !process.parent)))
        wrong = "is damaged";
    if (wrong)
        process = (struct trace_process){
            .pid = pid, .wrong = mem_printf("the file %s %s", TRACE_PROCESS_NAME, wrong)};
    process.path = mem_strdup(path);
    process.is_child = pid && !has_header(path);
    return process;
}

static void deinit_process(struct trace_process *process) {
    free(process->path);
    free(process->wrong);
}

static int by_birth(const void *a, const void *b) {
    const struct trace_process *x = a, *y = b;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

struct list {
    VEC(struct trace_process) all;
};

/* Children of one program whose parents are not found yet. */
struct children {
    VEC(struct trace_process) all;
};

static struct error *read_root(struct trace_process first, struct list *to, size_t depth);

/* What it became. */
static struct error *add_exec(struct list *to, const char *path, size_t depth) {
    char *exec CLEANUP_FREE = mem_printf("%s/%s", path, TRACE_EXEC_NAME);
    return access(exec, F_OK) == 0 ? read_root(read_process(exec, 0), to, depth) : NULL;
}

static struct error *add_children(struct list *to, struct children *children,
                                  struct trace_process parent);

/* Takes it out of the children, so that a parent of itself is no endless tree. */
static struct error *add_child(struct list *to, struct children *children, size_t at,
                               struct trace_process parent) {
    struct trace_process child = children->all.data[at];
    children->all.data[at].path = children->all.data[at].wrong = NULL;
    if (!child.is_child)
        return read_root(child, to, parent.depth + 1);
    child.depth = parent.depth + 1;
    child.root = parent.root;
    VEC_PUSH(&to->all, child);
    struct error *err = add_children(to, children, child);
    return err ? err : add_exec(to, child.path, child.depth + 1);
}

/* Those of a parent, each followed by its own. */
static struct error *add_children(struct list *to, struct children *children,
                                  struct trace_process parent) {
    struct error *err = NULL;
    for (size_t i = 0; i < children->all.count && !err; i++) {
        const struct trace_process *child = &children->all.data[i];
        if (child->path && child->parent && child->parent == parent.pid)
            err = add_child(to, children, i, parent);
    }
    return err;
}

static bool has_pid(const struct children *children, uint64_t pid) {
    for (size_t i = 0; i < children->all.count; i++)
        if (children->all.data[i].path && children->all.data[i].pid == pid)
            return true;
    return false;
}

/*
 * What is left: children of a process that is not there, and those that do not say whose they
 * are.  If it is the first process that does not say who it is, it can only have been that one.
 */
static struct error *add_orphans(struct list *to, struct children *children,
                                 struct trace_process first) {
    struct error *err = NULL;
    /* Those that others wait for go first; what is left then is a circle. */
    for (int waits = 0; waits < 2; waits++)
        for (size_t i = 0; i < children->all.count && !err; i++) {
            struct trace_process *child = &children->all.data[i];
            if (!child->path || (!waits && child->parent && has_pid(children, child->parent)))
                continue;
            if (!child->wrong && (first.pid || waits))
                child->wrong =
                    mem_printf("its parent %" PRIu64 " is not in the trace", child->parent);
            err = add_child(to, children, i, first);
        }
    return err;
}

static struct error *read_children(const char *root, struct children *ret) {
    DIR *directory = opendir(root);
    if (!directory)
        return error_errno("cannot open %s", root);
    const struct dirent *entry;
    while ((entry = readdir(directory))) {
        uint64_t pid = pid_of(entry->d_name);
        if (!pid)
            continue;
        char *path CLEANUP_FREE = mem_printf("%s/%s", root, entry->d_name);
        VEC_PUSH(&ret->all, read_process(path, pid));
    }
    closedir(directory);
    if (ret->all.count)
        qsort(ret->all.data, ret->all.count, sizeof *ret->all.data, by_birth);
    return NULL;
}

static struct error *read_root(struct trace_process first, struct list *to, size_t depth) {
    struct children children = {0};
    struct error *err = read_children(first.path, &children);
    if (err) {
        deinit_process(&first);
    } else {
        char *file CLEANUP_FREE = mem_printf("%s/%s", first.path, TRACE_PROCESS_NAME);
        if (!children.all.count && access(file, F_OK) != 0 && errno == ENOENT) {
            free(first.wrong); /* from before there were processes */
            first.wrong = NULL;
        }
        first.depth = depth;
        first.root = to->all.count;
        VEC_PUSH(&to->all, first);
        err = add_children(to, &children, first);
        if (!err)
            err = add_orphans(to, &children, first);
        if (!err)
            err = add_exec(to, first.path, depth + 1);
    }
    for (size_t i = 0; i < children.all.count; i++)
        deinit_process(&children.all.data[i]); /* after an error */
    VEC_DEINIT(&children.all);
    return err;
}

struct error *trace_processes_read(const char *root, struct trace_processes *ret) {
    struct list list = {0};
    struct error *err = read_root(read_process(root, 0), &list, 0);
    struct trace_processes processes = {list.all.data, list.all.count};
    if (err)
        trace_processes_free(&processes);
    else
        *ret = processes;
    return err;
}

void trace_processes_free(struct trace_processes *processes) {
    for (size_t i = 0; i < processes->count; i++)
        deinit_process(&processes->list[i]);
    free(processes->list);
    *processes = (struct trace_processes){0};
}

const struct trace_process *trace_process_find(const struct trace_processes *processes,
                                               uint64_t pid) {
    for (size_t i = 0; i < processes->count; i++)
        if (processes->list[i].pid == pid)
            return &processes->list[i];
    return NULL;
}

const struct trace_process *trace_process_next(const struct trace_processes *processes,
                                               const struct trace_process *process) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", process->path, TRACE_EXEC_NAME);
    for (size_t i = 0; i < processes->count; i++)
        if (strcmp(processes->list[i].path, path) == 0)
            return &processes->list[i];
    return NULL;
}

struct error *trace_process_root(const char *path, char **ret_root, uint64_t *ret_pid) {
    char *real = realpath(path, NULL);
    if (!real)
        return error_errno("cannot open %s", path);
    char *base = strrchr(real, '/');
    *ret_pid = has_header(real) ? 0 : pid_of(base + 1);
    if (*ret_pid)
        *base = '\0';
    *ret_root = real;
    return NULL;
}
