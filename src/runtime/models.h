/*
 * Compiled models (format/model_table.h), for the runtime: under names that no
 * program has.
 */
#ifndef RECUT_RUNTIME_MODELS_H
#define RECUT_RUNTIME_MODELS_H

#define model_table_check __recut_model_table_check
#define model_table_hash __recut_model_table_hash
#define model_table_find __recut_model_table_find

#include "format/model_table.h"

#endif
