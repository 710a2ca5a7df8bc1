/* Functions of libraries that are loaded by name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int on_each(int number, void *data) {
    *(int *)data += number;
    return number;
}

int main(void) {
    void *math = dlopen("libm.so.6", RTLD_NOW);
    double (*cosine)(double) = (double (*)(double))dlsym(math, "cos");
    long double (*root)(long double) = (long double (*)(long double))dlsym(math, "sqrtl");
    printf("%.6f %.6Lf\n", cosine(1.0), root(2.0L));
    pid_t (*parent)(void) = (pid_t (*)(void))dlsym(RTLD_DEFAULT, "getppid");
    printf("%d\n", parent() == getppid());
    ssize_t (*send)(int, const void *, size_t) =
        (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_DEFAULT, "write");
    fflush(stdout);
    printf("%zd\n", send(1, "by name\n", 8));
    char *(*find)(const char *, int) = (char *(*)(const char *, int))dlsym(RTLD_DEFAULT, "strchr");
    const char *text = "some text";
    printf("%s\n", find(text, 't'));
    int (*print)(const char *, ...) = (int (*)(const char *, ...))dlsym(RTLD_DEFAULT, "printf");
    print("%s %d %.2f\n", "printed", 42, 1.5);
    void *(*allocate)(size_t) = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    char *memory = allocate(100);
    strcpy(memory, "in the pool");
    puts(memory);
    free(memory);
    printf("%d\n", dlsym(math, "cos") == (void *)cosine);
    void *missing = dlsym(math, "no_such_function");
    const char *error = dlerror();
    printf("%d %d\n", missing == NULL, error && strstr(error, "no_such_function") != NULL);
    void *none = dlopen("./no-such-library.so", RTLD_NOW);
    printf("%d %d\n", none == NULL, dlerror() != NULL);
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (plugin) {
        int (*add)(int, int) = (int (*)(int, int))dlsym(plugin, "plugin_add");
        double (*scale)(double, int, int, int, int, int, int, int, int) = (double (*)(
            double, int, int, int, int, int, int, int, int))dlsym(plugin, "plugin_scale");
        printf("%d %.1f\n", add(2, 3), scale(1.5, 1, 2, 3, 4, 5, 6, 7, 8));
        void (*each)(int (*)(int, void *), void *) =
            (void (*)(int (*)(int, void *), void *))dlsym(plugin, "plugin_each");
        int sum = 0;
        each(on_each, &sum);
        printf("%d\n", sum);
        ssize_t (*other)(int, const void *, size_t) =
            (ssize_t (*)(int, const void *, size_t))dlsym(plugin, "write");
        printf("%zd\n", other(1, "never seen", 10));
    }
    printf("close %d\n", dlclose(math));
    void (*leave)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "exit");
    leave(5);
    return 0;
}
