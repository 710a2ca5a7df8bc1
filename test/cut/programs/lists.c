#include <dirent.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Lists that libc makes, in its own heap, which this part reads, changes and frees. */
int main(void) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *hosts;
    if (getaddrinfo("127.0.0.1", "80", &hints, &hosts))
        return 1;
    int sum = 0;
    for (struct addrinfo *a = hosts; a; a = a->ai_next) {
        a->ai_protocol = 1;
        for (unsigned i = 0; i < a->ai_addrlen; i++)
            sum += ((unsigned char *)a->ai_addr)[i];
    }
    freeaddrinfo(hosts);
    struct ifaddrs *interfaces;
    if (getifaddrs(&interfaces))
        return 1;
    for (struct ifaddrs *i = interfaces; i; i = i->ifa_next)
        sum += (int)strlen(i->ifa_name);
    freeifaddrs(interfaces);
    struct dirent **entries;
    int count = scandir("/proc/self", &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        sum += entries[i]->d_name[0];
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return sum % 100 + 3;
}
