/*
 * exec() of a program that was built with recut-cc, too: recording goes on there.
 *
 * A new program needs a trace of its own: it has other arguments, and another executable.
 * `recut record` makes one; so the process becomes that first, with `--into`, which prepares
 * DIRECTORY/exec and then becomes the program that was asked for.
 */
#include "runtime/process_resume.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/program_section.h"
#include "runtime/baton.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

static char tool[4096];

void __recut_process_tool(const char *path) {
    if (path && strlen(path) < sizeof tool)
        strcpy(tool, path);
}

/* --- was it built with recut-cc? ----------------------------------------------------------- */

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

/* One that changes who the user is would not be allowed to write the trace. */
static bool is_ours(const char *path) {
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool found = false;
    if (fd >= 0 && access(path, X_OK) == 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        !(status.st_mode & (S_ISUID | S_ISGID)) && status.st_size > 0) {
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

/* As a shell finds it. */
static bool find(const char *name, char found[4096]) {
    const char *path = getenv("PATH");
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        size_t length = strcspn(path, ":");
        if (length + strlen(name) + 2 > 4096)
            continue;
        memcpy(found, path, length);
        found[length] = '/';
        strcpy(found + length + 1, name);
        if (access(found, X_OK) == 0)
            return true;
    }
    return false;
}

/* --- becoming it --------------------------------------------------------------------------- */

void __recut_process_resume(const char *path, bool searches, char *const *arguments,
                            char *const *environment) {
    enum { most = 4096, head = 12 };
    static char *vector[most + head], found[4096], into[4096 + 8], chaos[40] = "--chaos=";
    if (!*tool || !path || !arguments || !arguments[0])
        return;
    if (searches && !strchr(path, '/')) {
        if (!find(path, found))
            return;
        path = found;
    }
    if (!is_ours(path))
        return;
    size_t count = 0, given = 0;
    char digits[24];
    uint64_t seed = __recut_baton_seed();
    strcat(strcpy(into, __recut_env_directory()), "/exec");
    strcat(chaos, __recut_decimal(seed, digits));
    vector[count++] = tool;
    vector[count++] = (char *)"record";
    vector[count++] = (char *)"--into";
    vector[count++] = into;
    if (__recut_is_serial)
        vector[count++] = seed ? chaos : (char *)"--threads=serial";
    vector[count++] = (char *)"--argv0";
    vector[count++] = arguments[0];
    vector[count++] = (char *)"--";
    vector[count++] = (char *)(uintptr_t)path;
    while (arguments[++given] && given < most)
        vector[count++] = arguments[given];
    vector[count] = NULL;
    if (given < most)
        execve(tool, vector, environment ? environment : environ);
}
