/** How every export reads the store: the state of one moment, without what is due to be deleted. */
import type { TableReader, Tables } from "#store/copy/port.ts";
import { Export, type ExportRequest } from "./export-rows.ts";
import type { AuthorNameOf } from "./kinds.ts";

export interface ExportAccess {
  store: { tables: Pick<Tables, "snapshot"> };
  /** The rows without those that are due to be deleted. */
  withoutExpired: (reader: TableReader) => Promise<TableReader>;
  authorNameOf: AuthorNameOf;
  /** Writes to the audit log what has left the store. The actor is `command` or the key id of a token. */
  recordExport: (actor: string, chosen: ExportRequest, rows: number) => Promise<void>;
}

/**
 * What was read is still to be recorded: only the caller knows how much of it has left. The signal ends it between two
 * batches, also while there is no row to take.
 */
export function readExport<Result>(
  { store, withoutExpired, authorNameOf }: ExportAccess,
  chosen: ExportRequest,
  work: (rows: Export) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  return store.tables.snapshot(async (reader) => {
    const read: TableReader["read"] = async function* (table, filter) {
      for await (const rows of reader.read(table, filter)) {
        signal?.throwIfAborted();
        yield rows;
      }
    };
    return work(new Export(await withoutExpired({ ...reader, read }), chosen, authorNameOf));
  });
}
