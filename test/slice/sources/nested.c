/* Jumps in loops and switches in each other. */
#include <stdio.h>
static int noise;
static int f(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        switch (i % 5) {
        case 0:
            noise++;
            continue;
        case 1:
            if (noise > 2) { noise++; break; } else { noise--; break; }
        case 2:
            r += 1;
        case 3:
            while (1) { if (noise++ > 7) break; }
            r += i;
            break;
        default:
            for (;;) { noise++; if (noise & 1) goto out; if (i > 90) return r; }
out:        ;
        }
        if (i == 17) { noise = 0; break; }
        do { if (i == 3) continue; noise++; if (i == 4) break; r++; } while (noise < 3);
    }
    return r;
}
int main(int argc, char **argv) {
    int total = 0;
    for (int k = 0; k < 30; k++) {
        int v = f(k);
        if (v & 1) noise += v; else total += v;
        if (k == 20) goto end;
    }
    noise++;
end:
    printf("slice: %d\n", total); /* slice */
    printf("%d\n", noise);
    return 0;
}
