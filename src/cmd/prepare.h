/*
 * Building the logging variant of a program: `recut prepare`, and who has the program open already.
 */
#ifndef RECUT_CMD_PREPARE_H
#define RECUT_CMD_PREPARE_H

#include "instrument/logging.h"

/* As `options` say, but for paths and models, which are these.  Leaves IMAGE.none if the program
 * needs no variant. */
struct error *prepare_logging(const char *program, const char *models_path, const char *image,
                              struct logging_options options);

#endif
