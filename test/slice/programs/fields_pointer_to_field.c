/* A pointer to one field changes that field only. */
#include <stdio.h>

struct account {
    int owner;
    int balance;
    int limit;
};

static void deposit(int *place, int amount) {
    *place = *place + amount;                         /* keep */
}

static void set_limit(int *place, int amount) {
    *place = amount;                                  /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    struct account account;
    account.owner = argc + 900;                       /* drop */
    account.balance = argc + 10;                      /* keep */
    account.limit = argc + 500;                       /* drop */
    int *limit = &account.limit;                      /* drop */
    int *balance = &account.balance;                  /* keep */
    deposit(balance, argc * 5);                       /* keep */
    set_limit(limit, argc * 7);                       /* drop */
    int result = account.balance;                     /* keep */
    printf("%d %d\n", account.owner, account.limit);  /* drop */
    printf("slice: %d\n", result);                    /* slice: result */
    return 0;
}
