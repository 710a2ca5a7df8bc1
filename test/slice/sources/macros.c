/* Statements, parts of statements and functions that macros make. */
#include <stdio.h>
#include <stdlib.h>
#define CHECK(x) if (!(x)) return -1
#define FOREACH(i, n) for (int i = 0; i < (n); i++)
#define TWO(a, b) a++; b++
#define SET(a, v) { a = v; }
#define SWAP(a, b) do { int t_ = a; a = b; b = t_; } while (0)
#define GETTER(name, field) static int get_##name(struct s *p) { seen++; return p->field; }
#define BEGIN {
#define END }
#define WRAP(...) do { __VA_ARGS__ } while (0)
#define RETURN return
struct s { int a, b; };
static int seen, noise;
GETTER(a, a)
GETTER(b, b)
static int check(int n) {
    CHECK(n < 100);
    CHECK(n > -100);
    noise++;
    RETURN n * 2;
}
static int loop(int n) BEGIN
    int sum = 0, junk = 0;
    FOREACH(i, n) {
        sum += i;
        junk -= i;
    }
    FOREACH(k, n)
        junk ^= k;
    TWO(sum, junk);
    SET(junk, junk + 1);
    if (n > 2) SET(sum, sum + 4) else SET(sum, 9)
    noise += junk;
    return sum;
END
int main(int argc, char **argv) {
    struct s v = {argc, argc + 1};
    int x = check(argc), y = check(200);
    WRAP(int q = x; x += q; noise++;);
    SWAP(x, y);
    y += loop(5) + get_a(&v);
    noise += get_b(&v);
    SWAP(x, noise);
    printf("slice: %d\n", y); /* slice */
    printf("%d %d\n", x, noise);
    return 0;
}
