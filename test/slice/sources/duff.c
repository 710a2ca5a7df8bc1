/* Duff's device: cases inside of a loop. */
#include <stdio.h>
static int total, other;
static void send(int *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { total += *from++; other++;
    case 7:      total += *from++;
    case 6:      total += *from++; other--;
    case 5:      total += *from++;
    case 4:      total += *from++;
    case 3:      total += *from++; other *= 2;
    case 2:      total += *from++;
    case 1:      total += *from++;
            } while (--n > 0);
    }
}
int main(int argc, char **argv) {
    int a[32];
    for (int i = 0; i < 32; i++) { a[i] = i * argc; other += i; }
    send(a, 21);
    printf("slice: %d\n", total); /* slice */
    printf("%d\n", other);
    return 0;
}
