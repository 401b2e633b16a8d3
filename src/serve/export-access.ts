/** Exports of a store, by its retention rules and with its audit log. */
import type { ExportAccess } from "#export/read-export.ts";
import { type Audit, exportEvent } from "#privacy/audit-log.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { readExpiries, type RetentionSettings, withoutExpired } from "#privacy/retention.ts";
import type { ReadOnlyStore } from "./open-store.ts";

export function createExportAccess(
  store: Pick<ReadOnlyStore, "tables" | "retention">,
  retention: RetentionSettings,
  record: Audit["record"],
): ExportAccess {
  return {
    store,
    async withoutExpired(reader) {
      return withoutExpired(reader, await readExpiries(store.retention, retention, Date.now()));
    },
    authorNameOf: (name, native) => PLATFORMS.find((platform) => platform.name === name)?.getAuthorName(native) ?? null,
    recordExport: (actor, chosen, rows) => record(exportEvent(actor, chosen, rows)),
  };
}
