#!/bin/sh
# Copies the primary when the volume is empty, then follows it. The copy is moved into place whole, so that one that was
# interrupted is made again and never started.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$(dirname "$PGDATA")"
  rm -rf "$PGDATA.copy"
  pg_basebackup --host="$PRIMARY_HOST" --username=replicator --no-password --wal-method=stream --checkpoint=fast \
    --write-recovery-conf --pgdata="$PGDATA.copy"
  mv -T "$PGDATA.copy" "$PGDATA"
fi
exec postgres "$@"
