/** The embedded store: one file, one connection that writes, one that reads. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { Listeners } from "../listeners.ts";
import { preparing } from "../prepared-record.ts";
import type { Form, ShapeBook } from "#domain/shown.ts";
import type { Natives, Reader, Store, StoreSummary } from "../store.ts";
import { createCopying } from "./copying.ts";
import { type Memory, openForReading, openForWriting } from "./database.ts";
import { tellingTokens, tellingWriter } from "./events.ts";
import { createJobs } from "./jobs.ts";
import { createReader } from "./reader.ts";
import { fillSearchIndex } from "./search-rebuild.ts";
import { fillShown } from "./shown-rebuild.ts";
import { ShownRows } from "./shown-rows.ts";
import { createTokens } from "./tokens.ts";
import { TrendUpkeep } from "./trend-upkeep.ts";
import { createWriter } from "./writer.ts";

export const STORE_FILE = "triptych.sqlite";

/** The clock says which day trends are of; the book, which shapes texts are kept of. */
export function openSqliteStore(
  dataDir: string,
  memory: Memory = "full",
  clock: () => number = Date.now,
  book: ShapeBook = {},
): Store {
  const file = join(dataDir, STORE_FILE);
  const writing = openForWriting(file, memory);
  fillSearchIndex(writing);
  fillShown(writing, book);
  const shown = new ShownRows(writing, book);
  const trends = new TrendUpkeep(writing, clock);
  while (trends.isBehind()) trends.catchUp();
  const reading = openForReading(file, memory);
  const readers = new Map<string, Reader>();
  const events = new Listeners();

  return {
    of<N extends Natives>(platform: PlatformName, form: Form = "drawn"): Reader<N> {
      const key = `${platform} ${form}`;
      let reader = readers.get(key);
      if (reader === undefined)
        readers.set(key, (reader = createReader(reading, platform, form === "drawn" ? null : book)));
      return reader as unknown as Reader<N>;
    },
    writer: tellingWriter(createWriter(writing, trends, shown), events),
    tokens: tellingTokens(createTokens(writing), events),
    jobs: createJobs(writing),
    rateLimits: null,
    events,
    preparing,
    copying: createCopying(reading, writing, trends, shown),
    stamp: () => reading.stamp(),
    async isEmpty() {
      return reading.get("SELECT 1 FROM records LIMIT 1") === undefined;
    },
    async hasErased() {
      return reading.get("SELECT 1 FROM erased LIMIT 1") !== undefined;
    },
    async agree(_name, value) {
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
