/** Gathers what readers find, with source and capture time on every record, until the store takes it. */
import type { Collector, Observed, SourceFile } from "#api/importer.ts";
import type { ChartEntry } from "#domain/chart.ts";
import { foldName } from "#domain/folding.ts";
import type { Reject } from "#domain/job.ts";
import { isProvisional, provisionalId } from "#domain/provisional-id.ts";
import type { Counters, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { AnyRecord, WriteCounts, RowEncoder, RecordChange } from "#store/store.ts";
import { type Refusal, refusalCode, type RefusalCode } from "#api/refusals.ts";
import { type Capture, fromCapture, isCount } from "./merge.ts";
import type { SeenRecords } from "./dedupe.ts";

/** Of the document that is being read. */
export interface CaptureContext {
  file: SourceFile;
  line: number | null;
  /** Unix milliseconds, where no record says its own. */
  capturedAt: number;
  source: string;
}

/** What one platform's readers found. */
export interface PlatformBatch {
  records: RecordChange[];
  subtitles: SubtitleTrack[];
  follows: Follow[];
  chartEntries: ChartEntry[];
  /** Provisional ids of people who are known by name only. */
  provisional: Set<string>;
  /** Provisional ids of people who came with name and id, to that id. */
  named: Map<string, string>;
}

/** Everything that one batch of documents gave, as plain data: it may come from another thread. */
export interface ParsedBatch {
  harvests: Map<PlatformName, PlatformBatch>;
  rejects: Reject[];
  /** Codes of reasons with counts. */
  refused: Record<string, number>;
  /** Reasons with counts. */
  skipped: Record<string, number>;
  /** Format names with the number of documents read in each. */
  formats: Record<string, number>;
  /** Records that need no look at the store, since they were met word for word before. */
  repeated: WriteCounts;
  /** Records gathered: batches are cut by it. */
  size: number;
}

export class BatchBuilder {
  readonly #repeats: SeenRecords;
  readonly #preparing: RowEncoder;
  readonly gathered: ParsedBatch = {
    harvests: new Map(),
    rejects: [],
    refused: {},
    skipped: {},
    formats: {},
    repeated: {},
    size: 0,
  };

  constructor(repeats: SeenRecords, preparing: RowEncoder) {
    this.#repeats = repeats;
    this.#preparing = preparing;
  }

  of(platform: PlatformName): PlatformBatch {
    const { harvests } = this.gathered;
    let harvest = harvests.get(platform);
    if (harvest === undefined) {
      harvest = { records: [], subtitles: [], follows: [], chartEntries: [], provisional: new Set(), named: new Map() };
      harvests.set(platform, harvest);
    }
    return harvest;
  }

  /** Met before word for word; then it is counted and needs nothing else. */
  isRepeat(platform: PlatformName, kind: RecordKind, id: string, capture: string): boolean {
    if (!this.#repeats.isRepeat(platform, kind, id, capture)) return false;
    (this.gathered.repeated[kind] ??= { new: 0, updated: 0, unchanged: 0, erased: 0 }).unchanged++;
    return true;
  }

  add(platform: PlatformName, kind: RecordKind, postId: string | null, capture: Capture): void {
    const record = fromCapture(kind, capture);
    const { id, capturedAt, source, counters } = record;
    const { header, native } = this.#preparing.serialise(record);
    if (kind !== "hashtag" && this.isRepeat(platform, kind, id, `${capturedAt}${header}${native}`)) return;
    this.gathered.size++;
    const derived = this.#preparing.indexFields(kind, record);
    const shown = this.#preparing.render?.(platform, kind, record);
    this.of(platform).records.push({
      kind,
      postId,
      incoming: { id, capturedAt, source, header, native, ...derived, ...(shown !== undefined && { rendered: shown }) },
      point: kind === "comment" || Object.keys(counters).length === 0 ? null : { capturedAt, counters },
    });
  }

  refuse(moment: Pick<CaptureContext, "file" | "line">, reason: Refusal): void {
    const { rejects, refused } = this.gathered;
    rejects.push({ file: moment.file.name, line: moment.line, reason });
    const code = refusalCode(reason) ?? reason;
    refused[code] = (refused[code] ?? 0) + 1;
  }

  /** A file in which nothing at all was recognised is refused as a whole, not document by document. */
  refuseOnce(reason: RefusalCode): void {
    const { formats, rejects, refused } = this.gathered;
    const first = rejects[0];
    if (first === undefined || Object.keys(formats).length > 0 || refused[reason] !== rejects.length) return;
    rejects.splice(0, rejects.length, { ...first, line: null });
    refused[reason] = 1;
  }

  skip(reason: string): void {
    const { skipped } = this.gathered;
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  }

  readAs(format: string): void {
    const { formats } = this.gathered;
    formats[format] = (formats[format] ?? 0) + 1;
  }
}

const MAX_ID = 200;

export function collectorFor(gathering: BatchBuilder, platform: PlatformName, moment: CaptureContext): Collector {
  const { source } = moment;
  const harvest = gathering.of(platform);

  function record(kind: RecordKind, found: Observed<AnyRecord>, postId: string | null = null): void {
    if (!isId(found.id)) {
      gathering.refuse(moment, kind === "hashtag" ? "hashtag_without_name" : `${kind}_without_id`);
      return;
    }
    const capturedAt = timeOf(found.capturedAt) ?? moment.capturedAt;
    const capture = { ...found, counters: countsOf(found.counters), capturedAt, source };
    gathering.add(platform, kind, postId, capture);
  }

  const collector: Collector = {
    account(found) {
      const name = typeof found.name === "string" && foldName(found.name) !== "" ? found.name : null;
      const id = found.id ?? (name === null ? "" : provisionalId(name));
      record("account", { ...found, id });
      if (isProvisional(id)) harvest.provisional.add(id);
      else if (name !== null) harvest.named.set(provisionalId(name), id);
      return id;
    },
    post: (found) => record("post", found),
    comment(found) {
      if (isId(found.postId)) record("comment", found, found.postId);
      else gathering.refuse(moment, "comment_without_post");
    },
    sound: (found) => record("sound", found),
    hashtag({ id, ...found }) {
      const key = foldName(found.name);
      if (key === "" || key.length > MAX_ID) {
        gathering.refuse(moment, "hashtag_without_name");
        return;
      }
      // Most captures say nothing of a hashtag but its name, with every post again: looked at before anything is made.
      const said = found.counters == null && found.native == null ? "" : JSON.stringify(found);
      if (
        gathering.isRepeat(
          platform,
          "hashtag",
          key,
          `${found.name} ${id ?? ""} ${found.capturedAt ?? moment.capturedAt}${said}`,
        )
      )
        return;
      record("hashtag", { ...found, id: key, platformId: id ?? null } as Observed<AnyRecord>);
    },
    place: (found) => record("place", found),
    subtitles(found) {
      gathering.gathered.size++;
      harvest.subtitles.push({ ...found, capturedAt: moment.capturedAt, source });
    },
    follow({ account, follower, since }) {
      const idOf = (ref: { id: string } | { name: string }) =>
        "id" in ref ? ref.id : collector.account({ name: ref.name });
      const [accountId, followerId] = [idOf(account), idOf(follower)];
      if (!isId(accountId) || !isId(followerId)) {
        gathering.refuse(moment, "follow_without_accounts");
        return;
      }
      gathering.gathered.size++;
      harvest.follows.push({ accountId, followerId, since: since ?? null, capturedAt: moment.capturedAt, source });
    },
    chartEntry(found) {
      gathering.gathered.size++;
      harvest.chartEntries.push({ ...found, capturedAt: moment.capturedAt, source });
    },
    refuse: (reason) => gathering.refuse(moment, reason),
    skip: (reason) => gathering.skip(reason),
  };
  return collector;
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID;
}

function countsOf(counters: Counters | null | undefined): Counters {
  const known: Counters = {};
  for (const name in counters) {
    const count = counters[name as keyof Counters];
    if (isCount(count)) known[name as keyof Counters] = count;
  }
  return known;
}

/** Captures are not from before the platforms, nor from the far future. */
function timeOf(capturedAt: number | null | undefined): number | null {
  return typeof capturedAt === "number" && capturedAt > 1e12 && capturedAt < 4e12 ? Math.floor(capturedAt) : null;
}
