/**
 * A dry run writes nothing, so each batch would find the store as it was at the start. This remembers what earlier
 * batches of the run contained, so that a repeated record is counted as one that exists.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { emptyCounts } from "#domain/job.ts";
import type { PlatformName } from "#domain/record.ts";
import type { RowEncoder } from "#store/write/encoded-record.ts";
import type { Changes, WriteCounts, RecordChange } from "#store/write/port.ts";
import { merge } from "./merge.ts";
import { toRecord } from "./to-record.ts";

interface SeenRecord {
  capturedAt: number;
  source: string;
  header: string;
  native: string;
}

export class DryRunState {
  readonly #encoder: RowEncoder;
  /** Without a name, it is on disk as far as it does not fit into the cache, and gone when it is closed. */
  readonly #db = new DatabaseSync("");
  readonly #get: StatementSync;
  readonly #put: StatementSync;

  constructor(encoder: RowEncoder) {
    this.#encoder = encoder;
    this.#db.exec(`PRAGMA journal_mode = OFF;
      CREATE TABLE seen (
        key TEXT PRIMARY KEY, capturedAt INTEGER NOT NULL, source TEXT NOT NULL, header TEXT NOT NULL, native TEXT NOT NULL
      ) STRICT`);
    this.#get = this.#db.prepare("SELECT capturedAt, source, header, native FROM seen WHERE key = ?");
    this.#put = this.#db.prepare(
      "INSERT OR REPLACE INTO seen (key, capturedAt, source, header, native) VALUES (?, ?, ?, ?, ?)",
    );
  }

  /** Returns the changes to preview in the store, and the counts of the records that were seen before. */
  split(changes: readonly Changes[]): { unseen: Changes[]; seen: WriteCounts } {
    const seen: WriteCounts = {};
    const unseen = changes.map((part) => ({
      ...part,
      records: part.records.filter((change) => this.#isNew(part.platform, change, seen)),
      follows: part.follows.filter((follow) =>
        this.#isFirst("follow", `${part.platform}/${follow.accountId}/${follow.followerId}`, seen),
      ),
      subtitles: part.subtitles.filter(({ postId, language, automatic }) =>
        this.#isFirst("subtitles", `${part.platform}/${postId}/${language}/${automatic}`, seen),
      ),
      chartEntries: part.chartEntries.filter(({ country, section, day, rank }) =>
        this.#isFirst("chart", `${part.platform}/${country}/${section}/${day}/${rank}`, seen),
      ),
    }));
    return { unseen, seen };
  }

  hasPost(platform: string, id: string): boolean {
    return this.#get.get(`${platform}/post//${id}`) !== undefined;
  }

  #isNew(platform: PlatformName, { kind, postId, incoming: found }: RecordChange, seen: WriteCounts): boolean {
    const key = `${platform}/${kind}/${postId ?? ""}/${found.id}`;
    const previous = this.#get.get(key) as SeenRecord | undefined;
    if (previous === undefined) {
      this.#remember(key, found);
      return true;
    }
    const merged = merge(kind, toRecord(found.id, previous), toRecord(found.id, found), platform);
    const updated = { capturedAt: merged.capturedAt, source: merged.source, ...this.#encoder.serialise(merged) };
    this.#remember(key, updated);
    const isSame =
      updated.capturedAt === previous.capturedAt &&
      updated.header === previous.header &&
      updated.native === previous.native;
    (seen[kind] ??= emptyCounts())[isSame ? "unchanged" : "updated"]++;
    return false;
  }

  #isFirst(kind: "follow" | "subtitles" | "chart", name: string, seen: WriteCounts): boolean {
    const key = `${kind} ${name}`;
    if (this.#get.get(key) === undefined) {
      this.#remember(key, { capturedAt: 0, source: "", header: "", native: "" });
      return true;
    }
    (seen[kind] ??= emptyCounts()).unchanged++;
    return false;
  }

  #remember(key: string, { capturedAt, source, header, native }: SeenRecord): void {
    this.#put.run(key, capturedAt, source, header, native);
  }
}
