/**
 * A dry run keeps nothing, so each batch would find the store as it was at the start. What earlier batches of the same
 * run showed is remembered here, so that a record met again counts as one that is held by then.
 */
import type { Changes, AnyRecord, WriteCounts, RowEncoder, RecordChange } from "#store/store.ts";
import { merge } from "./merge.ts";

interface Shown {
  capturedAt: number;
  source: string;
  header: string;
  native: string;
}

export class DryRunState {
  readonly #preparing: RowEncoder;
  readonly #records = new Map<string, Shown>();
  readonly #others = new Set<string>();

  constructor(preparing: RowEncoder) {
    this.#preparing = preparing;
  }

  /** Changes that the store must be asked about, and the outcome of those it need not. */
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

  #isNew(platform: string, { kind, postId, incoming: found }: RecordChange, seen: WriteCounts): boolean {
    const key = `${platform}/${kind}/${postId ?? ""}/${found.id}`;
    const { id, capturedAt, source, header, native } = found;
    const before = this.#records.get(key);
    if (before === undefined) {
      this.#records.set(key, { capturedAt, source, header, native });
      return true;
    }
    const merged = merge(kind, recordOf(id, before), recordOf(id, found));
    const after = { capturedAt: merged.capturedAt, source: merged.source, ...this.#preparing.serialise(merged) };
    this.#records.set(key, after);
    const same =
      after.capturedAt === before.capturedAt && after.header === before.header && after.native === before.native;
    count(seen, kind)[same ? "unchanged" : "updated"]++;
    return false;
  }

  #isFirst(kind: "follow" | "subtitles" | "chart", name: string, seen: WriteCounts): boolean {
    const key = `${kind} ${name}`;
    if (!this.#others.has(key)) {
      this.#others.add(key);
      return true;
    }
    count(seen, kind).unchanged++;
    return false;
  }
}

function recordOf(id: string, { capturedAt, source, header, native }: Shown): AnyRecord {
  return { ...(JSON.parse(header) as AnyRecord), id, capturedAt, source, native: JSON.parse(native) as object };
}

function count(outcome: WriteCounts, kind: keyof WriteCounts) {
  return (outcome[kind] ??= { new: 0, updated: 0, unchanged: 0, erased: 0 });
}
