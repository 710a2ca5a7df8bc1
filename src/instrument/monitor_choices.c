/* What do the words mean that say how a program is monitored?  See monitor.h. */
#include <stdlib.h>
#include <string.h>

#include "instrument/monitor.h"

/* 0 if it is none. */
static uint32_t number_behind(const char *text) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool is_number = *text >= '1' && *text <= '9' && (*end == '\0' || *end == ' ');
    return is_number && number <= MONITOR_DEEP ? (uint32_t)number : 0;
}

bool monitor_is_copy(const char *how) {
    return strcmp(how, "reference") == 0 || strcmp(how, "shallow") == 0 ||
           strcmp(how, "deep") == 0 ||
           (strncmp(how, "depth:", 6) == 0 && number_behind(how + 6) && !strchr(how, ' '));
}

uint32_t monitor_depth(const char *choices) {
    const char *how = strstr(choices, MONITOR_COPY);
    how = how ? how + strlen(MONITOR_COPY) : "shallow";
    if (strncmp(how, "reference", 9) == 0)
        return 0;
    if (strncmp(how, "deep", 4) == 0)
        return MONITOR_DEEP;
    return strncmp(how, "depth:", 6) == 0 ? number_behind(how + 6) : 1;
}

bool monitor_chooses(const char *choices, const char *kind, const char *name) {
    size_t kind_length = strlen(kind), length = strlen(name);
    for (const char *word = choices; *word; word += strcspn(word, " ") + 1)
        if (strncmp(word, kind, kind_length) == 0 &&
            strncmp(word + kind_length, name, length) == 0 && word[kind_length + length] == ' ')
            return true;
    return false;
}
