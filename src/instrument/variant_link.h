/*
 * From a detached module to the image of a variant.
 */
#ifndef RECUT_INSTRUMENT_VARIANT_LINK_H
#define RECUT_INSTRUMENT_VARIANT_LINK_H

#include "instrument/variant.h"

/* Name of the program's function or global number N, in the variant's module. */
#define VARIANT_SYMBOL "program.%zu"
#define VARIANT_ENTRY "__recut_variant"

/* Behind the image `over`, if it is not NULL. */
struct error *variant_link(struct variant *variant, const char *image_path, const char *over);

#endif
