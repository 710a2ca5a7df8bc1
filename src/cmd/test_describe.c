/* What is a test built against?  See test.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/test.h"
#include "testgen/names.h"

struct error *test_describe(const struct program *program, const char *names,
                            const char *directory) {
    char *header_path CLEANUP_FREE = mem_printf("%s/program.h", directory);
    char *script_path CLEANUP_FREE = mem_printf("%s/program.ld", directory);
    char *texts[2] = {0};
    size_t sizes[2];
    FILE *header = open_memstream(&texts[0], &sizes[0]),
         *script = open_memstream(&texts[1], &sizes[1]);
    struct error *err = names_describe(program, names, header, script);
    fclose(header);
    fclose(script);
    if (!err)
        err = io_write_file(script_path, texts[1], sizes[1]);
    if (!err)
        err = io_write_file(header_path, texts[0], sizes[0]);
    free(texts[0]);
    free(texts[1]);
    return err;
}
