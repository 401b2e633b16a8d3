/** The embedded store: one file, one connection that writes, one that reads. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { EventHub } from "../event-hub.ts";
import { createRowEncoder } from "../row-encoder.ts";
import type { RenderMode, ProjectionRegistry } from "#domain/projection.ts";
import type { Natives, Reader, Store, StoreSummary } from "../store.ts";
import { createTableCopy } from "./table-copy.ts";
import { type CacheSize, openForReading, openForWriting } from "./database.ts";
import { withTokenEvents, withWriterEvents } from "./events.ts";
import { createJobs } from "./jobs.ts";
import { createReader } from "./reader.ts";
import { rebuildSearchIndex } from "./search-rebuild.ts";
import { rebuildRendered } from "./rendered-rebuild.ts";
import { RenderedRows } from "./rendered-rows.ts";
import { createTokens } from "./tokens.ts";
import { TrendUpkeep } from "./trend-upkeep.ts";
import { createWriter } from "./writer.ts";

export const STORE_FILE = "triptych.sqlite";

/** The clock says which day trends are of; the book, which shapes texts are kept of. */
export function openSqliteStore(
  dataDir: string,
  memory: CacheSize = "full",
  clock: () => number = Date.now,
  book: ProjectionRegistry = {},
): Store {
  const file = join(dataDir, STORE_FILE);
  const writing = openForWriting(file, memory);
  rebuildSearchIndex(writing);
  rebuildRendered(writing, book);
  const shown = new RenderedRows(writing, book);
  const trends = new TrendUpkeep(writing, clock);
  while (trends.isBehind()) trends.catchUp();
  const reading = openForReading(file, memory);
  const readers = new Map<string, Reader>();
  const events = new EventHub();

  return {
    reader<N extends Natives>(platform: PlatformName, form: RenderMode = "object"): Reader<N> {
      const key = `${platform} ${form}`;
      let reader = readers.get(key);
      if (reader === undefined)
        readers.set(key, (reader = createReader(reading, platform, form === "object" ? null : book)));
      return reader as unknown as Reader<N>;
    },
    writer: withWriterEvents(createWriter(writing, trends, shown), events),
    tokens: withTokenEvents(createTokens(writing), events),
    jobs: createJobs(writing),
    rateLimits: null,
    events,
    encoder: createRowEncoder,
    tableCopy: createTableCopy(reading, writing, trends, shown),
    dataVersion: () => reading.stamp(),
    async isEmpty() {
      return reading.get("SELECT 1 FROM records LIMIT 1") === undefined;
    },
    async hasErased() {
      return reading.get("SELECT 1 FROM erased LIMIT 1") !== undefined;
    },
    async getOrSet(_name, value) {
      return value;
    },
    async ping() {
      reading.get("SELECT 1 FROM sqlite_schema LIMIT 1");
    },
    async summary() {
      const records: StoreSummary["records"] = {};
      const rows = reading.all<{ platform: string; kind: RecordKind; n: number }>(
        `SELECT platform, kind, count(*) AS n FROM records GROUP BY platform, kind
         UNION ALL SELECT platform, 'comment', count(*) FROM comments GROUP BY platform ORDER BY 1, 2`,
      );
      for (const { platform, kind, n } of rows) (records[platform] ??= {})[kind] = n;
      return { records, bytes: statSync(file).size };
    },
    async verify() {
      const problems = reading
        .all<{ integrity_check: string }>("PRAGMA integrity_check(10)")
        .map((row) => row.integrity_check);
      return problems.length === 1 && problems[0] === "ok" ? [] : problems;
    },
    async close() {
      reading.close();
      writing.close();
    },
  };
}
