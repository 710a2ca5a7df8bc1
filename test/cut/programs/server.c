/* A server of texts: what a line asks for is read from a file and handed to plug-ins. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

static struct request *read_request(const char *path) {
    struct request *request = calloc(1, sizeof *request);
    snprintf(request->path, sizeof request->path, "%s", path);
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return request;
    request->body = malloc(BODY_SIZE);
    ssize_t n;
    while ((n = read(fd, request->body + request->size, BODY_SIZE - request->size)) > 0)
        request->size += (size_t)n;
    close(fd);
    return request;
}

static void send_body(const struct request *request) {
    unsigned sum = 0;
    for (size_t i = 0; i < request->size; i++)
        sum = sum * 31 + (unsigned char)request->body[i];
    printf("%s %s %zu %08x\n", request->path, request->type, request->size, sum);
}

int main(void) {
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        struct request *request = read_request(line);
        find_type(request);
        send_body(request);
        free(request->body);
        free(request);
    }
}
