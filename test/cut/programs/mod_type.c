/* A plug-in: the type of a file by the end of its name. */
#include <string.h>

#include "server.h"

static const struct {
    const char *end, *type;
} types[] = {{"c", "text/c"}, {"html", "text/html"}, {"txt", "text/plain"}};
static unsigned long counts[3];

void find_type(struct request *request) {
    const char *dot = strrchr(request->path, '.');
    request->type = "application/octet-stream";
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot + 1, types[i].end) == 0) {
            request->type = types[i].type;
            counts[i]++;
        }
}
