/* embedded_seeds DIRECTORY: writes the corpus of embedded_fuzz. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/embedded.h"

static const char *directory;
static unsigned serial;

static void put(unsigned char how, const char *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/seed-%02u", directory, serial++);
    FILE *file = fopen(path, "wb");
    if (!file || fputc(how, file) == EOF || fwrite(data, 1, size, file) != size ||
        fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static void put_packed(const char *content, size_t size) {
    char *packed;
    size_t packed_size;
    uint8_t id[BUILD_ID_SIZE];
    enum { header = sizeof(struct program_section) };
    embedded_pack(content, size, &packed, &packed_size, id);
    put(0, packed, packed_size);                         /* as it is */
    put(0, packed, packed_size / 2);                     /* cut off */
    put(0, packed, header);                              /* only the header */
    put(4, packed + header, packed_size - header);       /* the payload, header made anew */
    put(4, packed + header, (packed_size - header) / 2); /* half of it */
    for (unsigned char how = 5; how < 8; how++)
        put(how, packed + header, packed_size - header);
    for (size_t at = 0; at < header; at += 8) { /* each field damaged */
        packed[at] ^= 0x41;
        put(0, packed, packed_size);
        packed[at] ^= 0x41;
    }
    free(packed);
}

int main(int argc, char **argv) {
    static char noise[5000], zeros[300000];
    if (argc != 2)
        return 2;
    directory = argv[1];
    unsigned state = 1;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)((state = state * 1664525 + 1013904223) >> 24);
    put(0, "", 0);
    put(0, PROGRAM_MAGIC, 8);
    put_packed("x", 1);
    put_packed(noise, sizeof noise);
    put_packed(zeros, sizeof zeros);
    /* A frame that claims four gigabytes in a few bytes. */
    put(4, "\x28\xb5\x2f\xfd\xa0\x00\x00\x00\xf0\x03\x00\x00\x00", 13);
    return 0;
}
