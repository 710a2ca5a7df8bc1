#include <stddef.h>
enum { BODY_SIZE = 1 << 20 };
struct request {
    char path[200];
    const char *type;
    char *body;
    size_t size;
};
void find_type(struct request *request);
