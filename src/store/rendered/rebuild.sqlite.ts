/** Renders all records again when the stored projections have changed since. */
import type { ProjectionRegistry } from "#domain/projection.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { type NonCommentKind, RECORD_COLUMNS, type RecordRow } from "#store/write/record-row.ts";
import type { Database } from "#store/sqlite/database.ts";
import { eachRow } from "#store/sqlite/each-row.ts";
import { RenderedRows } from "./sqlite.ts";

interface ProjectionRow {
  platform: PlatformName;
  kind: RecordKind;
  slot: number;
  name: string;
  version: number;
}

export function rebuildRendered(db: Database, projections: ProjectionRegistry): void {
  const wanted = toRows(projections);
  // A program without projections, such as a command, leaves the rendered JSON to those that have them.
  if (wanted.length === 0 || isUpToDate(db, wanted)) return;
  const rendered = new RenderedRows(db, projections);
  db.transaction(() => {
    db.run("DELETE FROM rendered_records");
    eachRow<RecordRow & { number: number; platform: PlatformName; kind: NonCommentKind }>(
      db,
      "records",
      `number, platform, kind, ${RECORD_COLUMNS}`,
      (row) => rendered.write(row.platform, row.kind, row.number, { ...row, capturedAt: row.captured_at }),
    );
    db.run("UPDATE comments SET digest = NULL, rendered = NULL WHERE rendered IS NOT NULL");
    eachRow<RecordRow & { platform: PlatformName; post_id: string }>(
      db,
      "comments",
      `platform, post_id, ${RECORD_COLUMNS}`,
      (row) => rendered.writeComment(row.platform, row.post_id, { ...row, capturedAt: row.captured_at }),
    );
    db.run("DELETE FROM rendered_projections");
    for (const { platform, kind, slot, name, version } of wanted) {
      db.run("INSERT INTO rendered_projections VALUES (?, ?, ?, ?, ?)", platform, kind, slot, name, version);
    }
  });
}

function toRows(projections: ProjectionRegistry): ProjectionRow[] {
  return Object.entries(projections).flatMap(([platform, kinds]) =>
    Object.entries(kinds).flatMap(([kind, list]) =>
      list.map(({ name, version }, slot) => ({
        platform,
        kind: kind as ProjectionRow["kind"],
        slot,
        name,
        version,
      })),
    ),
  );
}

function isUpToDate(db: Database, wanted: readonly ProjectionRow[]): boolean {
  const stored = db.all<ProjectionRow>("SELECT platform, kind, slot, name, version FROM rendered_projections");
  const keys = (rows: readonly ProjectionRow[]) =>
    rows.map(({ platform, kind, slot, name, version }) => JSON.stringify([platform, kind, slot, name, version]));
  return JSON.stringify(keys(stored).toSorted()) === JSON.stringify(keys(wanted).toSorted());
}
