#!/bin/sh
# Copies the primary if the volume is empty, then replicates from it. The finished copy is renamed into place, so an
# interrupted one is never started.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$(dirname "$PGDATA")"
  rm -rf "$PGDATA.copy"
  pg_basebackup --host="$PRIMARY_HOST" --username=replicator --no-password --wal-method=stream --checkpoint=fast \
    --write-recovery-conf --pgdata="$PGDATA.copy"
  mv -T "$PGDATA.copy" "$PGDATA"
fi
exec postgres "$@"
