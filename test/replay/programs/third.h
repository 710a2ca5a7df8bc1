/* A library that recut has no models of. */
#include <stddef.h>

typedef int third_callback(void *user, int code, const char *text);

struct third_item {
    int id;
    char name[20];
    struct third_item *next;
};

struct third_deep {
    int count;
    int *numbers;
    const char *text;
    struct third_deep *next;
};

void third_keep(int *number, char *text, size_t size);
void third_later(void);
int third_each(third_callback *callback, void *user);
const struct third_item *third_list(void);
const char *third_name(int number);
int third_fill(void *out, int size);
double third_time(double offset);
void third_deep(struct third_deep *deep);
void third_take(void *block);
char *third_give(int number);
typedef int third_many_callback(int, const char *, int, double, int, int, int, const char *, long);
int third_many(third_many_callback *callback);

/* Objects with methods that have no symbol; and a table of them that the program names. */
struct third_object {
    const struct third_methods *methods;
    int state;
};
struct third_methods {
    int (*next)(struct third_object *, char *text, third_callback *callback);
    double (*mean)(const struct third_object *, double by);
    void (*end)(struct third_object *);
    const char *(*name)(int number);
};
extern const struct third_methods third_methods;
struct third_object *third_object(void);
/* The place of the first item that a function says yes to. */
int third_first(int (*says)(const struct third_item *item));
void third_variables(int round);
