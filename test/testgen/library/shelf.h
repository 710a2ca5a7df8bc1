/* A library that recut has no models of. */
struct shelf_item {
    int size;
    char name[20];
    struct shelf_item *next;
};
struct shelf {
    struct shelf_item *first;
    int count;
    void *user;
};
typedef int shelf_visit(struct shelf_item *item, void *user);

struct shelf *shelf_new(void);
void shelf_add(struct shelf *shelf, const char *name, int size);
/* Changes all sizes. */
void shelf_stretch(struct shelf *shelf, int by);
/* Writes the longest name. */
void shelf_longest(const struct shelf *shelf, char *name, int *ret_size);
/* A block that nobody has written to. */
void *shelf_room(void);
/* A large table of its own. */
const int *shelf_prices(void);
/* A text of its own, of many characters. */
const char *shelf_story(void);
char *shelf_describe(const struct shelf *shelf);
/* The sum of what it says. */
int shelf_each(struct shelf *shelf, shelf_visit *visit, void *user);
/* A variable, and what changes it. */
extern int shelf_mode;
int shelf_switch(void);
