/* An array that is a field of the elements of an array: as fields_array_named.c, and elements are one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
    int id;
    char name[80];
    long score;
    short marks[4];
    int last;
};

static void fill(short *marks, int with) {
    for (int i = 0; i < 4; i++)
        marks[i] = with;                                  /* drop */
}

static int best(const struct user *user) {
    return user->id + (int)user->score;                   /* keep */
}

int main(int argc, char **argv) {
    const char *word = argv[argc - 1] + strlen(argv[argc - 1]) - 3; /* drop */
    struct user *users = calloc(argc + 3, sizeof *users);
    struct user seats[4] = {0};
    for (int i = 0; i < argc + 2; i++) {
        users[i].id = argc + i;                           /* keep */
        users[i].score = argc + 2;                        /* keep */
        strcpy(users[i].name, word);                      /* drop */
        fill(users[i].marks, argc + 3);                   /* drop */
        users[i].last = argc + 4;                         /* keep */
        seats[i & 3].id = argc + 5;                       /* keep */
        seats[i & 3].score = argc + 6;                    /* drop */
        strcpy(seats[i & 3].name, word);                  /* drop */
        for (int k = 0; k < 3; k++)
            seats[i & 3].marks[k] = word[k];              /* drop */
    }
    int sum = best(&users[1]) + users[2].last + seats[1].id; /* keep */
    printf("slice: %d\n", sum);                           /* slice: sum */
    printf("%s %d %ld\n", users[1].name, users[0].marks[1], seats[1].score); /* drop */
    return 0;
}
