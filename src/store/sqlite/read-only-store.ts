/**
 * The file as a process opens it that answers beside the one that writes: one connection, which cannot write. Nothing
 * is made, migrated or filled here; the other process has done so.
 */
import { join } from "node:path";
import type { PlatformName } from "#domain/record.ts";
import type { RenderMode, ProjectionRegistry } from "#domain/projection.ts";
import type { Natives, Reader, Store } from "../store.ts";
import { openForReading } from "./database.ts";
import { createJobs } from "./jobs.ts";
import { createReader } from "./reader.ts";
import { STORE_FILE } from "./store.ts";
import { createTokens } from "./tokens.ts";

export type SqliteReadOnlyStore = Pick<Store, "reader" | "dataVersion" | "tokens" | "jobs" | "ping" | "close">;

export function openSqliteReadOnly(dataDir: string, book: ProjectionRegistry): SqliteReadOnlyStore {
  const reading = openForReading(join(dataDir, STORE_FILE), "full");
  const readers = new Map<string, Reader>();
  return {
    reader<N extends Natives>(platform: PlatformName, form: RenderMode = "object"): Reader<N> {
      const key = `${platform} ${form}`;
      let reader = readers.get(key);
      if (reader === undefined)
        readers.set(key, (reader = createReader(reading, platform, form === "object" ? null : book)));
      return reader as unknown as Reader<N>;
    },
    dataVersion: () => reading.stamp(),
    tokens: createTokens(reading),
    jobs: createJobs(reading),
    async ping() {
      reading.get("SELECT 1 FROM sqlite_schema LIMIT 1");
    },
    async close() {
      reading.close();
    },
  };
}
