#!/bin/sh
# Starts Triptych in a container. All nodes of a cluster need the same pepper: if PEPPER is set, it is written to the data
# directory and removed from the environment.
set -eu
mkdir -p -m 700 "$DATA_DIR"
if [ -n "${PEPPER:-}" ]; then
  rm -f "$DATA_DIR/pepper.new"
  (umask 077 && printf '%s\n' "$PEPPER" >"$DATA_DIR/pepper.new")
  mv "$DATA_DIR/pepper.new" "$DATA_DIR/pepper"
  unset PEPPER
fi
exec node --max-semi-space-size=8 bin/triptych.mjs "$@"
