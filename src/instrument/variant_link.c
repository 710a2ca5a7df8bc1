/*
 * From a detached module to the image of a variant; see variant_link.h.
 *
 * The names of the program are given their addresses by a linker script.  The
 * code generator's own calls (memcpy, fmod) get the program's; what remains,
 * arithmetic on wide integers, is linked in from the compiler's library.
 */
#include "instrument/variant_link.h"

#include <elf.h>
#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "format/layout.h"
#include "program/codegen.h"

static struct error *write_script(struct variant *variant, const char *path) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < variant->values.count; i++)
        fprintf(out, "\"" VARIANT_SYMBOL "\" = %#llx;\n", i,
                (unsigned long long)variant->values.data[i].address);
    for (size_t i = 0; i < variant->extra_count; i++) {
        size_t index = variant->values.count + i;
        if (index < variant->embedded->table_count && variant->embedded->table[index])
            fprintf(out, "\"%s\" = %#llx;\n", variant->extras[i],
                    (unsigned long long)variant->embedded->table[index]);
    }
    fclose(out);
    struct error *err = io_write_file(path, text, size);
    free(text);
    return err;
}

/* The first line that says error, cut out of what the linker printed. */
static const char *first_error(char *text) {
    char *line = strstr(text, "error:");
    line = line ? line : text;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Where the next image may begin. */
static struct error *find_end(const char *image, uint64_t *ret) {
    enum { page = 4096 };
    char *bytes CLEANUP_FREE = NULL;
    size_t size;
    uint64_t end = 0;
    struct error *err = io_read_file(image, &bytes, &size);
    if (err)
        return err;
    const Elf64_Ehdr *elf = (const void *)bytes;
    if (size >= sizeof *elf && elf->e_phoff <= size &&
        elf->e_phnum <= (size - elf->e_phoff) / sizeof(Elf64_Phdr))
        for (unsigned i = 0; i < elf->e_phnum; i++) {
            Elf64_Phdr segment;
            memcpy(&segment, bytes + elf->e_phoff + i * sizeof segment, sizeof segment);
            uint64_t here = segment.p_vaddr + segment.p_memsz;
            if (segment.p_type == PT_LOAD && here > end)
                end = here;
        }
    *ret = (end + page - 1) & ~(uint64_t)(page - 1);
    return end >= RECUT_VARIANT_BASE && end < RECUT_VARIANT_END
               ? NULL
               : error_new(ERROR_INPUT, "%s: not a variant", image);
}

static struct error *run_linker(const char *object, const char *script, const char *over,
                                const char *image) {
    char base[64];
    uint64_t begin = RECUT_VARIANT_BASE;
    struct error *wrong = over ? find_end(over, &begin) : NULL;
    if (wrong)
        return wrong;
    snprintf(base, sizeof base, "-Wl,--image-base=%#llx", (unsigned long long)begin);
    char *argv[] = {"clang-19",
                    "-nostdlib",
                    "-static",
                    "-fuse-ld=lld",
                    base,
                    "-Wl,-e," VARIANT_ENTRY,
                    "-Wl,-z,norelro",
                    "-Wl,--build-id=none",
                    (char *)object,
                    (char *)script,
                    "-lgcc",
                    "-o",
                    (char *)image,
                    NULL};
    struct io_child child;
    struct error *err = io_run(argv, true, &child);
    if (err)
        return err;
    if (child.exit_code != 0)
        err = error_new(ERROR_FAILED, "cannot link the variant: %s", first_error(child.err));
    io_child_deinit(&child);
    return err;
}

struct error *variant_link(struct variant *variant, const char *image_path, const char *over) {
    char *message = NULL;
    if (LLVMVerifyModule(variant->module, LLVMReturnStatusAction, &message)) {
        struct error *err = error_new(ERROR_BUG, "the variant is not valid: %s", message);
        LLVMDisposeMessage(message);
        return err;
    }
    LLVMDisposeMessage(message);
    char *directory CLEANUP_FREE = NULL;
    struct error *err = io_make_temp_dir(&directory);
    if (err)
        return err;
    char *object CLEANUP_FREE = mem_printf("%s/variant.o", directory);
    char *script CLEANUP_FREE = mem_printf("%s/addresses.ld", directory);
    char *image CLEANUP_FREE = mem_printf("%s.%ld.tmp", image_path, (long)getpid());
    err = write_script(variant, script);
    if (!err)
        err = codegen_emit(variant->module, 2, object);
    if (!err)
        err = run_linker(object, script, over, image);
    if (!err && rename(image, image_path) != 0)
        err = error_errno("cannot write %s", image_path);
    if (err)
        unlink(image);
    if (!getenv("RECUT_CC_KEEP"))
        io_remove_tree(directory);
    return err;
}
