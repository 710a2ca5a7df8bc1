/*
 * Objects that the environment returns (struct passwd, struct dirent, the
 * text of an error) as the program sees them while it is recorded or replayed:
 * copies in replay space.
 *
 * The environment's own object is never seen by the program.  It is packed into
 * the log together with what it points to, and unpacked from there at an address
 * that follows from the log alone, in both modes by the same code.
 *
 *   packed object:   varint size, the bytes, then for each pointer in it, in order:
 *     string         varint 0 if NULL, else 1 + length, and the bytes
 *     strings        varint 0 if NULL, else 1 + count, and each as bytes
 *     object         varint 0 if NULL, else 1, and the object
 *     bytes          varint 0 if NULL, else 1 + length, and the bytes
 *     vector         varint 0 if NULL, else 1 + count, and each as bytes
 *   packed string:   varint length, the bytes
 */
#ifndef RECUT_RUNTIME_MIRROR_H
#define RECUT_RUNTIME_MIRROR_H

#include "format/model_table.h"
#include "runtime/log_read.h"
#include "runtime/log_write.h"

/* Type 0 is a string. */
size_t __recut_pack_size(const struct model_table *table, uint32_t type, const void *object);
unsigned char *__recut_pack(unsigned char *p, const struct model_table *table, uint32_t type,
                            const void *object);

/* Makes the object again, in memory that belongs to `key` and is used anew the
 * next time, and returns it; NULL if the packed form is damaged or memory is
 * at its end. */
void *__recut_unpack(struct log_reader *from, const struct model_table *table, uint32_t type,
                     uint64_t key);

/* The same for an object that the program has the memory for; what it points
 * to stays for good. */
bool __recut_unpack_into(struct log_reader *from, const struct model_table *table, uint32_t type,
                         void *object);

/* A string that stays; the same text has the same address. */
char *__recut_mirror_text(const void *text, size_t length);

/* Memory there that stays, zeroed; NULL if there is none left. Both runs must ask for
 * it at the same event. */
void *__recut_mirror_take(size_t size);

#endif
