/* Files and child processes; see io.h. */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

extern char **environ;

struct error *io_read_file(const char *path, char **ret_data, size_t *ret_size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", path);
    size_t size = 0, capacity = 64 * 1024;
    struct stat st;
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        capacity = (size_t)st.st_size + 2;
    char *data = mem_alloc(capacity);
    for (;;) {
        if (size + 1 >= capacity)
            data = mem_realloc(data, capacity *= 2, 1);
        ssize_t n = read(fd, data + size, capacity - size - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            struct error *err = error_errno("cannot read %s", path);
            free(data);
            close(fd);
            return err;
        }
        if (n == 0)
            break;
        size += (size_t)n;
    }
    close(fd);
    data[size] = '\0';
    *ret_data = data;
    *ret_size = size;
    return NULL;
}

/* An empty file has no pages. */
struct error *io_map_file(const char *path, char **ret_data, size_t *ret_size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return error_errno("cannot open %s", path);
    char *data = NULL;
    bool is_there = fstat(fd, &st) == 0;
    if (is_there && st.st_size > 0)
        data = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    struct error *err = is_there && data != MAP_FAILED ? NULL : error_errno("cannot read %s", path);
    close(fd);
    if (err)
        return err;
    *ret_data = data;
    *ret_size = (size_t)st.st_size;
    return NULL;
}

void io_unmap(char *data, size_t size) {
    if (data)
        munmap(data, size);
}

static struct error *write_all(int fd, const char *path, const char *data, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, data + done, size - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            return error_errno("cannot write %s", path);
    }
    return NULL;
}

/* Something that is not a file, like /dev/null, is written to and not replaced. */
static struct error *write_special(const char *path, const char *data, size_t size) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot write %s", path);
    struct error *err = write_all(fd, path, data, size);
    close(fd);
    return err;
}

static struct error *write_file(const char *path, const void *data, size_t size, mode_t mode) {
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return write_special(path, data, size);
    char *temp CLEANUP_FREE = mem_printf("%s.%ld.tmp", path, (long)getpid());
    int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0)
        return error_errno("cannot write %s", path);
    struct error *err = write_all(fd, path, data, size);
    if (close(fd) != 0 && !err)
        err = error_errno("cannot write %s", path);
    if (!err && rename(temp, path) != 0)
        err = error_errno("cannot write %s", path);
    if (err)
        unlink(temp);
    return err;
}

struct error *io_write_file(const char *path, const void *data, size_t size) {
    return write_file(path, data, size, 0666);
}

struct error *io_copy_program(const char *from, const char *to) {
    char *data CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(from, &data, &size);
    return err ? err : write_file(to, data, size, 0777);
}

struct error *io_share_program(const char *from, const char *to) {
    return link(from, to) == 0 ? NULL : io_copy_program(from, to);
}

struct error *io_make_temp_dir(char **ret_path) {
    const char *base = getenv("TMPDIR");
    char *path = mem_printf("%s/recut-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(path)) {
        struct error *err =
            error_errno("cannot create a directory in %s", base && *base ? base : "/tmp");
        free(path);
        return err;
    }
    *ret_path = path;
    return NULL;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

void io_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

struct error *io_make_dirs(const char *path) {
    char *copy CLEANUP_FREE = mem_strdup(path);
    for (char *p = copy + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            if (mkdir(copy, 0700) != 0 && errno != EEXIST)
                return error_errno("cannot create %s", copy);
            *p = '/';
        }
    if (mkdir(copy, 0700) != 0 && errno != EEXIST)
        return error_errno("cannot create %s", copy);
    return NULL;
}

struct error *io_find_installed(const char *name, char **ret_path) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return error_errno("cannot read /proc/self/exe");
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    *slash = '\0';
    static const char *const places[] = {"../lib/recut", "../lib", "."};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = mem_printf("%s/%s/%s", self, places[i], name);
        if (access(path, R_OK) == 0) {
            *ret_path = path;
            return NULL;
        }
        free(path);
    }
    return error_new(ERROR_FAILED,
                     "%s is missing from %s/../lib/recut: recut is not installed whole", name,
                     self);
}

/* One end of a captured stream: grows until the child closes its end. */
struct stream {
    int fd;
    char *data;
    size_t size, capacity;
};

static void stream_read(struct stream *stream) {
    if (stream->capacity - stream->size < 4096)
        stream->data = mem_realloc(stream->data, stream->capacity = 2 * stream->capacity + 8192, 1);
    ssize_t n = read(stream->fd, stream->data + stream->size, stream->capacity - stream->size - 1);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        close(stream->fd);
        stream->fd = -1;
        return;
    }
    stream->size += (size_t)n;
}

static void streams_drain(struct stream streams[2]) {
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        struct pollfd fds[2] = {{streams[0].fd, POLLIN, 0}, {streams[1].fd, POLLIN, 0}};
        if (poll(fds, 2, -1) < 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (fds[i].revents)
                stream_read(&streams[i]);
    }
}

struct error *io_run(char *const argv[], bool capture, struct io_child *ret) {
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (capture) {
        if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
            return error_errno("cannot create a pipe");
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    }
    pid_t pid;
    int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    struct stream streams[2] = {{.fd = out[0]}, {.fd = err[0]}};
    if (capture) {
        close(out[1]);
        close(err[1]);
    }
    if (failed) {
        if (capture) {
            close(out[0]);
            close(err[0]);
        }
        errno = failed;
        return error_errno("cannot run %s", argv[0]);
    }
    if (capture)
        streams_drain(streams);
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return error_errno("cannot wait for %s", argv[0]);
    *ret = (struct io_child){
        .exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
    };
    if (capture) {
        for (int i = 0; i < 2; i++) {
            streams[i].data = mem_realloc(streams[i].data, streams[i].size + 1, 1);
            streams[i].data[streams[i].size] = '\0';
        }
        ret->out = streams[0].data;
        ret->err = streams[1].data;
    }
    return NULL;
}

void io_child_deinit(struct io_child *child) {
    free(child->out);
    free(child->err);
    child->out = child->err = NULL;
}
