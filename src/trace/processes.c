/* Which processes does a trace have?  See processes.h. */
#include "trace/processes.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "trace/trace.h"

static const char prefix[] = "pid.";

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

static struct error *read_process(const char *path, struct trace_process *ret) {
    char *file CLEANUP_FREE = mem_printf("%s/%s", path, TRACE_PROCESS_NAME);
    char *text CLEANUP_FREE = NULL;
    size_t size;
    *ret = (struct trace_process){0};
    if (access(file, F_OK) != 0 && errno == ENOENT)
        return NULL;
    struct error *err = io_read_file(file, &text, &size);
    if (err)
        return err;
    char *copy CLEANUP_FREE = mem_strndup(text, size);
    return parse(copy, ret) ? NULL : error_new(ERROR_INPUT, "%s: is damaged", file);
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

static struct error *read_root(const char *root, struct list *to, size_t depth);

/* What it became. */
static struct error *add_exec(struct list *to, const char *path, size_t depth) {
    char *exec CLEANUP_FREE = mem_printf("%s/exec", path);
    return access(exec, F_OK) == 0 ? read_root(exec, to, depth) : NULL;
}

/* Those whose parent is `pid`, each followed by its own. */
static struct error *add_children(struct list *to, struct trace_process *all, size_t count,
                                  const struct trace_process *parent) {
    struct error *err = NULL;
    for (size_t i = 0; i < count && !err; i++)
        if (all[i].path && all[i].parent == parent->pid) {
            struct trace_process child = all[i];
            all[i].path = NULL; /* a parent of itself is no endless tree */
            child.depth = parent->depth + 1;
            child.root = parent->root;
            VEC_PUSH(&to->all, child);
            err = add_children(to, all, count, &child);
            if (!err)
                err = add_exec(to, child.path, child.depth + 1);
        }
    return err;
}

static struct error *read_root(const char *root, struct list *to, size_t depth) {
    VEC(struct trace_process) children = {0};
    struct trace_process first;
    struct error *err = read_process(root, &first);
    DIR *directory = err ? NULL : opendir(root);
    if (!err && !directory)
        err = error_errno("cannot open %s", root);
    const struct dirent *entry;
    while (!err && (entry = readdir(directory))) {
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        char *path = mem_printf("%s/%s", root, entry->d_name);
        struct trace_process child;
        err = read_process(path, &child);
        child.path = path;
        if (!err && child.pid)
            VEC_PUSH(&children, child);
        else
            free(path);
    }
    if (directory)
        closedir(directory);
    if (!err) {
        if (children.count)
            qsort(children.data, children.count, sizeof *children.data, by_birth);
        first.path = mem_strdup(root);
        first.depth = depth;
        first.root = to->all.count;
        VEC_PUSH(&to->all, first);
        err = add_children(to, children.data, children.count, &first);
        if (!err)
            err = add_exec(to, root, depth + 1);
    }
    for (size_t i = 0; i < children.count; i++)
        free(children.data[i].path); /* that nobody is the parent of */
    VEC_DEINIT(&children);
    return err;
}

struct error *trace_processes_read(const char *root, struct trace_processes *ret) {
    struct list list = {0};
    struct error *err = read_root(root, &list, 0);
    *ret = (struct trace_processes){list.all.data, list.all.count};
    if (err)
        trace_processes_free(ret);
    return err;
}

void trace_processes_free(struct trace_processes *processes) {
    for (size_t i = 0; i < processes->count; i++)
        free(processes->list[i].path);
    free(processes->list);
    *processes = (struct trace_processes){0};
}

const struct trace_process *trace_process_find(const struct trace_processes *processes,
                                               uint64_t pid) {
    const struct trace_process *found = NULL;
    for (size_t i = 0; i < processes->count; i++)
        if (processes->list[i].pid == pid)
            found = &processes->list[i];
    return found;
}

struct error *trace_process_root(const char *path, char **ret_root, uint64_t *ret_pid) {
    struct trace_process process;
    struct error *err = read_process(path, &process);
    if (err)
        return err;
    *ret_pid = process.parent ? process.pid : 0;
    *ret_root = process.parent ? mem_printf("%s/..", path) : mem_strdup(path);
    char *real = realpath(*ret_root, NULL);
    if (real) {
        free(*ret_root);
        *ret_root = real;
    }
    return NULL;
}
