/* Functions that call each other until the stack is full, and others that return on the way: which
 * of them meets its end is chance. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct rule {
    const char *name, *text;
};
static const struct rule rules[] = {{"list", "item list"}, {"item", "word"}};
static int evaluate(const char *text, int depth);

static __attribute__((noinline)) size_t copy_word(char *to, size_t room, const char *text) {
    size_t length = strcspn(text, " ");
    snprintf(to, room, "%.*s", (int)length, text);
    return length;
}

static __attribute__((noinline)) const struct rule *find(const char *text) {
    char name[40];
    copy_word(name, sizeof name, text);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

static __attribute__((noinline)) int apply(const struct rule *rule, int depth) {
#ifdef FIXED
    if (depth > 500)
        return -1;
#endif
    int sum = getppid() != 0; /* somebody outside is asked on each level */
    for (const char *at = rule->text; *at; at += strcspn(at, " "), at += *at == ' ')
        sum += evaluate(at, depth + 1);
    return sum;
}

static __attribute__((noinline)) int evaluate(const char *text, int depth) {
    const struct rule *rule = find(text);
    return rule ? apply(rule, depth) + 1 : depth;
}

int main(void) {
    printf("%d\n", evaluate("list", 0));
    return 0;
}
