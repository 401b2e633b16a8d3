/** Collects what importers find into batches, with source and capture time on every record. */
import type { AccountRef, Collector, Observed, SourceFile } from "#api/importer.ts";
import { type Refusal, refusalCode, type RefusalCode } from "#api/refusals.ts";
import { exactCounters } from "#domain/approximate.ts";
import type { ChartEntry } from "#domain/chart.ts";
import { foldName } from "#domain/folding.ts";
import { emptyCounts, type Reject, type ReportKind } from "#domain/job.ts";
import { isProvisional, provisionalId } from "#domain/provisional-id.ts";
import type { Counters, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { AnyRecord, RowEncoder } from "#store/write/encoded-record.ts";
import type { RecordChange, WriteCounts } from "#store/write/port.ts";
import type { SeenRecords } from "./dedupe.ts";
import { type Capture, fromCapture, isCount } from "./merge.ts";

/**
 * Characters, those of 1,500 large records: with its search documents and rendered JSON, a batch takes several times as many
 * bytes, and other writers wait while its words are indexed.
 */
export const BATCH_TEXT = 2 * 1024 * 1024;

/** Where a record came from. */
export interface RecordOrigin {
  file: SourceFile;
  line: number | null;
  /** Unix milliseconds, for records without a capture time of their own. */
  capturedAt: number;
  /** The name of the format. */
  source: string;
}

/** What the importers of one platform found. */
export interface PlatformBatch {
  records: RecordChange[];
  subtitles: SubtitleTrack[];
  /** To be written only if their post is stored. */
  uncertainSubtitles: SubtitleTrack[];
  follows: Follow[];
  chartEntries: ChartEntry[];
  /** Provisional ids of accounts that are known by name only. */
  provisionalIds: Set<string>;
  /** Ids of accounts that came with name and id, by the provisional id of their name. */
  idsByProvisionalId: Map<string, string>;
}

/** The result of reading some documents, as plain data: it is sent between threads. */
export interface ParsedBatch {
  byPlatform: Map<PlatformName, PlatformBatch>;
  rejects: Reject[];
  /** Counts by refusal code. */
  refused: Record<string, number>;
  /** Counts by reason. */
  skipped: Record<string, number>;
  /** Documents read, by format. */
  formats: Record<string, number>;
  /** Records that need not be written, since the same capture was in an earlier batch. */
  duplicates: WriteCounts;
  recordCount: number;
  /** Characters of its records and subtitles. */
  textLength: number;
}

export function emptyBatch(): ParsedBatch {
  const counts = { refused: {}, skipped: {}, formats: {}, duplicates: {}, recordCount: 0, textLength: 0 };
  return { byPlatform: new Map(), rejects: [], ...counts };
}

export class BatchBuilder {
  readonly #seenRecords: SeenRecords;
  readonly #encoder: RowEncoder;
  readonly batch = emptyBatch();
  /** Records that were refused or skipped. */
  leftOut = 0;

  constructor(seenRecords: SeenRecords, encoder: RowEncoder) {
    this.#seenRecords = seenRecords;
    this.#encoder = encoder;
  }

  forPlatform(platform: PlatformName): PlatformBatch {
    const { byPlatform } = this.batch;
    let part = byPlatform.get(platform);
    if (part === undefined) {
      part = {
        records: [],
        subtitles: [],
        uncertainSubtitles: [],
        follows: [],
        chartEntries: [],
        provisionalIds: new Set(),
        idsByProvisionalId: new Map(),
      };
      byPlatform.set(platform, part);
    }
    return part;
  }

  /** Counts the record and returns true if the same capture was read before. */
  isDuplicate(platform: PlatformName, kind: RecordKind, id: string, capture: string): boolean {
    if (!this.#seenRecords.isDuplicate(platform, kind, id, capture)) return false;
    (this.batch.duplicates[kind] ??= emptyCounts()).unchanged++;
    return true;
  }

  /** Returns false if the record is too large to be stored. */
  add(platform: PlatformName, kind: RecordKind, postId: string | null, capture: Capture): boolean {
    const record = fromCapture(kind, capture);
    const { id, capturedAt, source } = record;
    const counters = exactCounters(record);
    const { header, native } = this.#encoder.serialise(record);
    if (header.length + native.length > MAX_RECORD_LENGTH) return false;
    // Hashtags were checked before they came here.
    if (kind !== "hashtag" && this.isDuplicate(platform, kind, id, `${capturedAt}${header}${native}`)) return true;
    this.batch.recordCount++;
    this.batch.textLength += header.length + native.length;
    const indexFields = this.#encoder.indexFields(kind, record);
    const rendered = this.#encoder.render?.(platform, kind, record);
    this.forPlatform(platform).records.push({
      kind,
      postId,
      incoming: { id, capturedAt, source, header, native, ...indexFields, ...(rendered !== undefined && { rendered }) },
      point: kind === "comment" || Object.keys(counters).length === 0 ? null : { capturedAt, counters },
    });
    return true;
  }

  refuse({ file, line }: Pick<RecordOrigin, "file" | "line">, reason: Refusal): void {
    const { rejects, refused } = this.batch;
    this.leftOut++;
    rejects.push({ file: file.name, line, reason });
    const code = refusalCode(reason) ?? reason;
    refused[code] = (refused[code] ?? 0) + 1;
  }

  /** If every document was refused for this reason, refuses the file as a whole instead. */
  refuseOnce(reason: RefusalCode): void {
    const { formats, rejects, refused } = this.batch;
    const first = rejects[0];
    if (first === undefined || Object.keys(formats).length > 0 || refused[reason] !== rejects.length) return;
    rejects.splice(0, rejects.length, { ...first, line: null });
    refused[reason] = 1;
  }

  skip(reason: string, count = 1): void {
    const { skipped } = this.batch;
    this.leftOut += count;
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }

  countFormat(format: string): void {
    const { formats } = this.batch;
    formats[format] = (formats[format] ?? 0) + 1;
  }
}

const MAX_ID_LENGTH = 200;
/** Characters of JSON: four times an album of twenty videos. A response has up to a hundred records. */
const MAX_RECORD_LENGTH = 1024 * 1024;
/** Characters of the lines: those of a video of days. */
const MAX_TRACK_LENGTH = 4 * 1024 * 1024;

/** `onFound` is told everything that is collected. */
export function createCollector(
  builder: BatchBuilder,
  platform: PlatformName,
  provenance: RecordOrigin,
  onFound?: (kind: ReportKind, observed: object) => void,
): Collector {
  const { source } = provenance;
  const part = builder.forPlatform(platform);
  /** Names of the accounts in this document, so that a post is searched by its author's. */
  const names = new Map<string, string[]>();

  function addRecord(kind: RecordKind, observed: Observed<AnyRecord>, postId: string | null = null): void {
    if (!isId(observed.id)) {
      builder.refuse(provenance, kind === "hashtag" ? "hashtag_without_name" : `${kind}_without_id`);
      return;
    }
    const capturedAt = readCaptureTime(observed.capturedAt) ?? provenance.capturedAt;
    onFound?.(kind, observed);
    const capture = { ...observed, counters: readCounters(observed.counters), capturedAt, source };
    if (!builder.add(platform, kind, postId, capture)) builder.refuse(provenance, "too_large_to_store");
  }

  /** The capture time is by default that of the document. */
  function withProvenance<Fields extends object>(
    kind: ReportKind,
    fields: Fields & { capturedAt?: number | undefined },
  ): Fields & { capturedAt: number; source: string } {
    onFound?.(kind, fields);
    builder.batch.recordCount++;
    return { ...fields, capturedAt: readCaptureTime(fields.capturedAt) ?? provenance.capturedAt, source };
  }

  const collector: Collector = {
    account(observed) {
      const name = typeof observed.name === "string" && foldName(observed.name) !== "" ? observed.name : null;
      const id = observed.id ?? (name === null ? "" : provisionalId(name));
      addRecord("account", { ...observed, id });
      const known = [observed.name, observed.displayName].filter(isFilled);
      if (known.length > 0) names.set(id, known);
      if (isProvisional(id)) part.provisionalIds.add(id);
      else if (name !== null) part.idsByProvisionalId.set(provisionalId(name), id);
      return id;
    },
    post(observed) {
      const authorNames = names.get(observed.authorId ?? "");
      addRecord("post", authorNames === undefined ? observed : { ...observed, authorNames });
    },
    comment(observed) {
      if (isId(observed.postId)) addRecord("comment", observed, observed.postId);
      else builder.refuse(provenance, "comment_without_post");
    },
    sound: (observed) => addRecord("sound", observed),
    hashtag({ id, ...observed }) {
      const { name, capturedAt, counters, native } = observed;
      const key = foldName(name);
      if (key === "" || key.length > MAX_ID_LENGTH) {
        builder.refuse(provenance, "hashtag_without_name");
        return;
      }
      // Most captures know only the name of a hashtag and repeat it with every post: check before building a record.
      onFound?.("hashtag", observed);
      const details = counters == null && native == null ? "" : JSON.stringify(observed);
      const capture = `${name} ${id ?? ""} ${capturedAt ?? provenance.capturedAt}${details}`;
      if (builder.isDuplicate(platform, "hashtag", key, capture)) return;
      const hashtag = { ...observed, id: key, platformId: id ?? null };
      addRecord("hashtag", hashtag);
    },
    place: (observed) => addRecord("place", observed),
    subtitles({ isUncertain = false, ...track }) {
      const textLength = track.lines.reduce((sum, { text }) => sum + text.length, 0);
      if (textLength > MAX_TRACK_LENGTH) return builder.refuse(provenance, "too_large_to_store");
      builder.batch.textLength += textLength;
      (isUncertain ? part.uncertainSubtitles : part.subtitles).push(withProvenance("subtitles", track));
    },
    follow({ account, follower, since }) {
      const resolve = (ref: AccountRef) => ("id" in ref ? ref.id : collector.account({ name: ref.name }));
      const [accountId, followerId] = [resolve(account), resolve(follower)];
      if (isId(accountId) && isId(followerId))
        part.follows.push(withProvenance("follow", { accountId, followerId, since: since ?? null }));
      else builder.refuse(provenance, "follow_without_accounts");
    },
    chartEntry: (entry) => void part.chartEntries.push(withProvenance("chart", entry)),
    refuse: (reason) => builder.refuse(provenance, reason),
    skip: (reason) => builder.skip(reason),
  };
  return collector;
}

function isFilled(text: unknown): text is string {
  return typeof text === "string" && text !== "";
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_LENGTH;
}

function readCounters(counters: Counters | null | undefined): Counters {
  const given: Record<string, unknown> = counters ?? {};
  const known: Record<string, number> = {};
  for (const name in given) {
    const count = given[name];
    if (isCount(count)) known[name] = count;
  }
  return known;
}

/** Ignores times before the platforms existed and in the far future. */
function readCaptureTime(capturedAt: number | null | undefined): number | null {
  return typeof capturedAt === "number" && capturedAt > 1e12 && capturedAt < 4e12 ? Math.floor(capturedAt) : null;
}
