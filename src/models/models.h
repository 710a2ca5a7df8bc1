/*
 * Models of external functions: from text to the table that everything else
 * works from (format/model.h).  docs/models.md has the language.
 *
 *     struct models *models = models_new();
 *     err = models_parse_builtin(models);
 *     if (!err)
 *         err = models_parse_file(models, "mylib.model");
 *     if (!err)
 *         err = models_compile(models, &table);
 *     models_free(models);
 *
 * Sources are parsed one after the other.  A later one sees the types of the
 * earlier ones, and its model of a function takes the place of theirs: what a
 * user says beats what recut says.  Within one source a name may come up once.
 *
 * Errors are of the form "FILE:LINE:COL: what".  After one, `models` can only be
 * freed.
 */
#ifndef RECUT_MODELS_MODELS_H
#define RECUT_MODELS_MODELS_H

#include "base/error.h"
#include "format/model_table.h"

struct models *models_new(void);
void models_free(struct models *models);

/* `name` is for messages and `group`; the text is not kept. */
struct error *models_parse(struct models *models, const char *name, const char *text, size_t size);
struct error *models_parse_file(struct models *models, const char *path);
/* What recut brings along. */
struct error *models_parse_builtin(struct models *models);

/* One block of ret->size bytes, freed by the caller; the same sources give the
 * same bytes. */
struct error *models_compile(const struct models *models, struct model_table **ret);

/* The built-in models and those of a user's files (--model FILE), in order. */
struct error *models_load(const char *const paths[], size_t count, struct model_table **ret);

/*
 * C that the compiler accepts if sizes, offsets and prototypes of the models are
 * those of the headers it includes first; and one line for each name: the name,
 * its class, its file and line, and `also` if it shares the model of another.
 * Both are freed by the caller.
 */
char *models_print_c(const struct models *models);
char *models_print_names(const struct models *models);

#endif
