/* What happened when the recorded program died?  See crash.h. */
#include "cmd/crash.h"

#include <string.h>

#include "cmd/cmd.h"
#include "trace/trace.h"

void crash_explain(FILE *out, const char *trace_path) {
    (void)out, (void)trace_path;
}
