/* How does recording go on in another program?  See process_invite.h. */
#include "runtime/process_invite.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/program_section.h"
#include "format/variant.h"
#include "runtime/baton.h"
#include "runtime/env_thread.h"
#include "runtime/process_child.h"
#include "runtime/raw.h"

static char tool[4096];

void __recut_process_tool(const char *path) {
    if (path && strlen(path) < sizeof tool)
        strcpy(tool, path);
}

/* Other threads may be in malloc(). */
static struct invitation reserve(size_t size) {
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? (struct invitation){0} : (struct invitation){at, size};
}

void __recut_invitation_end(struct invitation invitation) {
    if (invitation.at)
        munmap(invitation.at, invitation.size);
}

/* --- inviting ---------------------------------------------------------------------------- */

static const char tool_name[] = TOOL_ENV "=", parent_name[] = PARENT_ENV "=";

/* The value of PARENT_ENV; false: this process is recorded by nobody that could be asked. */
struct parent {
    char text[4096 + 100];
};

static bool describe(struct parent *ret) {
    struct process_origin origin = __recut_process_origin();
    const char *directory = __recut_env_directory();
    uint64_t serial = __recut_is_serial ? 1 + __recut_baton_seed() : 0;
    const uint64_t numbers[] = {(uint64_t)origin.parent, origin.thread, origin.event, serial};
    char digits[24], *to = ret->text;
    if (!*tool || strlen(directory) >= 4096)
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        to = stpcpy(stpcpy(to, __recut_decimal(numbers[i], digits)), ":");
    strcpy(to, directory);
    return true;
}

static bool is_invitation(const char *variable) {
    return strncmp(variable, tool_name, sizeof tool_name - 1) == 0 ||
           strncmp(variable, parent_name, sizeof parent_name - 1) == 0;
}

struct invitation __recut_invite_environment(char *const *environment, char *const **ret) {
    struct parent parent;
    size_t count = 0, kept = 0;
    *ret = environment;
    if (!describe(&parent))
        return (struct invitation){0};
    while (environment && environment[count])
        count++;
    struct invitation invitation = reserve((count + 3) * sizeof(char *) + sizeof tool_name +
                                           sizeof tool + sizeof parent_name + sizeof parent);
    if (!invitation.at)
        return invitation;
    char **vector = invitation.at, *text = (char *)(vector + count + 3);
    for (size_t i = 0; i < count; i++)
        if (!is_invitation(environment[i])) /* an older one, which the program kept */
            vector[kept++] = environment[i];
    vector[kept++] = text;
    text = stpcpy(stpcpy(text, tool_name), tool) + 1;
    vector[kept++] = text;
    strcpy(stpcpy(text, parent_name), parent.text);
    *ret = vector;
    return invitation;
}

/* As one word of the shell; at most four times as long, with two quotes. */
static char *quote(char *to, const char *text) {
    *to++ = '\'';
    for (; *text; text++)
        if (*text == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *text;
    *to++ = '\'';
    *to = '\0';
    return to;
}

/*
 * system() and popen() give the shell the environment of the program, which other threads may look
 * at and change in the meantime.  So it is the command that sets the variables.
 */
struct invitation __recut_invite_command(struct env_frame *frame) {
    const char *command = (const char *)frame->integers[0];
    struct parent parent;
    if (!command || !describe(&parent)) /* system(NULL): is there a shell? */
        return (struct invitation){0};
    struct invitation invitation =
        reserve(100 + 4 * (sizeof tool + sizeof parent) + strlen(command));
    if (!invitation.at)
        return invitation;
    char *to = stpcpy(stpcpy(invitation.at, "export "), tool_name);
    to = stpcpy(stpcpy(quote(to, tool), " "), parent_name);
    strcpy(stpcpy(quote(to, parent.text), "; "), command);
    frame->integers[0] = (uint64_t)invitation.at;
    return invitation;
}

struct invitation __recut_invite_spawn(struct env_frame *frame) {
    char *const *environment;
    struct invitation invitation =
        __recut_invite_environment((char *const *)frame->integers[5], &environment);
    frame->integers[5] = (uint64_t)environment;
    return invitation;
}

/* --- accepting --------------------------------------------------------------------------- */

static bool has_section(const char *file, size_t size, const char *wanted) {
    const Elf64_Ehdr *head = (const void *)file;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shoff > size || (size - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum ||
        head->e_shstrndx >= head->e_shnum)
        return false;
    const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
    const Elf64_Shdr *names = &sections[head->e_shstrndx];
    if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
        return false;
    size_t length = strlen(wanted) + 1;
    for (unsigned i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_name <= names->sh_size &&
            names->sh_size - sections[i].sh_name >= length &&
            memcmp(file + names->sh_offset + sections[i].sh_name, wanted, length) == 0)
            return true;
    return false;
}

/* What /proc calls this program is what `recut record` would start: it may be the loader, or a
 * file that is gone or stripped of its canonical program. */
static bool is_ours(const char *path) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool found = false;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        found = file != MAP_FAILED && has_section(file, size, PROGRAM_SECTION);
        if (file != MAP_FAILED)
            munmap(file, size);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

/* One that changes who the user is would not be allowed to write the trace. */
static bool find_self(char path[4096]) {
    ssize_t length = getauxval(AT_SECURE) ? -1 : readlink("/proc/self/exe", path, 4095);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return is_ours(path);
}

static const char *value_of(char **envp, const char *name) {
    const char *value = __recut_variable(envp, name);
    return value && *value ? value : NULL;
}

void __recut_invitation_accept(char **argv, char **envp) {
    const char *by = value_of(envp, TOOL_ENV), *parent = value_of(envp, PARENT_ENV);
    char self[4096];
    size_t given = 0, variables = 0, count = 0, kept = 0;
    if (!by || !parent || value_of(envp, VARIANT_ENV) || !argv[0] || !find_self(self))
        return;
    while (argv[given])
        given++;
    while (envp[variables])
        variables++;
    struct invitation vectors = reserve((given + variables + 16) * sizeof(char *));
    if (!vectors.at)
        return;
    const char **command = vectors.at, **environment = command + given + 8;
    const char *const head[] = {by, "record", "--child", parent, "--argv0", argv[0], "--", self};
    for (; count < sizeof head / sizeof *head; count++)
        command[count] = head[count];
    for (size_t i = 1; i < given; i++)
        command[count++] = argv[i];
    for (size_t i = 0; i < variables; i++)
        if (!is_invitation(envp[i])) /* nobody accepts twice */
            environment[kept++] = envp[i];
    execve(by, (char *const *)command, (char *const *)environment);
    __recut_invitation_end(vectors);
}
