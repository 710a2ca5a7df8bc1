/*
 * What is a constant without a name?  Literals, and what the compiler made; see test_impl.h.
 *
 * In another build of the program they are elsewhere, or gone: a test has them with it.  In the
 * build that failed they are where they were, and who compares pointers to them finds them the
 * same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testgen/names_impl.h"
#include "testgen/test_impl.h"

enum { most_size = 1024 };

bool test_is_constant(const struct program *program, memory_id memory) {
    const struct memory *known = &program->memory.data[memory];
    return known->kind == MEMORY_GLOBAL && known->address && known->size &&
           known->size <= most_size && known->flags & MEMORY_CONSTANT && !known->pointers.count &&
           !(known->flags & (MEMORY_EXTERNAL | MEMORY_RUNTIME)) &&
           !names_is_variable(program, memory);
}

const struct test_variable *test_constant_at(const struct writer *writer, uint64_t address) {
    size_t low = 0, high = writer->constants.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (writer->constants.data[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct test_variable *one = low ? &writer->constants.data[low - 1] : NULL;
    return one && address - one->address < one->size ? one : NULL;
}

static char *words_text(const uint8_t *bytes, uint64_t size) {
    char *text = mem_strdup("(void *)(const unsigned long[]){");
    for (uint64_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        char *before CLEANUP_FREE = text;
        memcpy(&word, bytes + at, size - at < 8 ? size - at : 8);
        text = mem_printf("%s%s%#" PRIx64, before, at ? ", " : "", word);
    }
    char *before CLEANUP_FREE = text;
    return mem_printf("%s}", before);
}

char *test_constant(const struct writer *writer, const struct test_variable *constant) {
    uint8_t bytes[most_size];
    if (!image_get(writer->input->image, constant->address, bytes, constant->size))
        return NULL;
    if (writer->program->memory.data[constant->memory].align > 1)
        return words_text(bytes, constant->size);
    uint64_t length = constant->size - (bytes[constant->size - 1] == '\0');
    char *text CLEANUP_FREE = test_text(bytes, length);
    return mem_printf("(void *)%s", text);
}
