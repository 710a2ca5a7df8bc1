/* How much a loop counts at once (src/instrument/ticks.h). Read by the assembler, too. */
#ifndef RECUT_FORMAT_TICKS_H
#define RECUT_FORMAT_TICKS_H

#define TICKS_OF_LOOP 64

#endif
