/* Lines of any length, names of temporary files, large mappings, wide text: what an event
 * holds of them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

int main(void) {
    char *line = NULL, word[16], name[] = "file.XXXXXX";
    size_t room = 0, longest = 0;
    unsigned count = 0;
    ssize_t length;
    for (; (length = getline(&line, &room, stdin)) > 0; count++)
        longest = (size_t)length > longest ? (size_t)length : longest;
    printf("%u lines, %zu\n", count, longest);
    rewind(stdin);
    while (getdelim(&line, &room, '7', stdin) > 0)
        count++;
    printf("%u\n", count);
    rewind(stdin);
    if (fscanf(stdin, "%15s", word) == 1 && ungetc('x', stdin) == 'x' &&
        fgets(word, sizeof word, stdin))
        printf("%s", word);
    int file = mkstemp(name);
    printf("%d %zu\n", file >= 0, strlen(name));
    size_t size = 3 << 20, written = 0;
    for (char block[4096]; written < size; written += sizeof block) {
        memset(block, (int)(written >> 12), sizeof block);
        if (write(file, block, sizeof block) != sizeof block)
            return 1;
    }
    unsigned char *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    unsigned long sum = 0;
    for (size_t i = 0; i < size; i += 1000)
        sum = sum * 31 + mapped[i];
    printf("%lx\n", sum);
    unlink(name);
    fwprintf(stderr, L"wide %d\n", 5);
    fputws(L"text\n", stderr);
    free(line);
    return 0;
}
