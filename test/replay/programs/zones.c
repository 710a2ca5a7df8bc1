/* Time zones: names and offsets in the variables and in struct tm. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void show(const char *what) {
    printf("%s: %s %s %ld %d\n", what, tzname[0], tzname[1], timezone, daylight);
}

static void times(time_t t) {
    struct tm *local = localtime(&t), copy = *local, again;
    printf("%d:%02d %s %ld %d\n", copy.tm_hour, copy.tm_min, copy.tm_zone, copy.tm_gmtoff,
           copy.tm_isdst);
    show("after localtime");
    copy.tm_mon += 5;
    time_t made = mktime(&copy);
    printf("%ld is %d:%02d %s %ld\n", (long)made, copy.tm_hour, copy.tm_min, copy.tm_zone,
           copy.tm_gmtoff);
    gmtime_r(&made, &again);
    printf("%s %ld\n", again.tm_zone, (long)timegm(&again));
    char text[80];
    strftime(text, sizeof text, "%c %Z %z", &copy);
    printf("%s, %s", text, ctime(&t));
    localtime_r(&t, &again);
    printf("%s %s", again.tm_zone, asctime(&again));
}

int main(void) {
    show("at first");
    tzset();
    show("set");
    times(1000000000);
    setenv("TZ", "XYZ-3ABC,M3.5.0,M10.5.0", 1);
    times(1100000000);
    char *kept = tzname[0];
    setenv("TZ", "America/New_York", 1);
    tzset();
    show("another");
    times(1234567890);
    unsetenv("TZ");
    tzset();
    printf("kept %s\n", kept);
    return 0;
}
