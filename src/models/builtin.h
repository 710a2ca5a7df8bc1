/*
 * The text of the models that recut brings along, as the build puts it into the
 * tools: a user's file may build on their types.
 */
#ifndef RECUT_MODELS_BUILTIN_H
#define RECUT_MODELS_BUILTIN_H

#include <stddef.h>

struct models_text {
    const char *name; /* "files.model" */
    const char *text;
    size_t size;
};

extern const struct models_text models_texts[];
extern const size_t models_text_count;

#endif
