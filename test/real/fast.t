#!/bin/bash
# The real programs that are quick enough for `make test`, also with every run of
# their suites recorded and replayed; see run.
exec "$(dirname "$0")/run" --fast --replay /dev/null "$@"
