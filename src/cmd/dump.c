/* recut dump. */
#include "cmd/cmd.h"

int cmd_dump(int argc, char **argv) {
    (void)argc;
    return cmd_fail(argv[0], error_new(ERROR_FAILED, "not there yet"));
}
