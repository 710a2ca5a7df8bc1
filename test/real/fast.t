#!/bin/bash
# The real programs that are quick enough for `make test`; see run.
exec "$(dirname "$0")/run" --fast "$@"
