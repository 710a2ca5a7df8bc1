/* The check of models and the search for one, in the runtime; see models.h. */
#include "runtime/models.h"

#include "format/model_table.c"
