/**
 * The reading half of an import: files are opened, their documents read, what is found gathered into batches. It knows
 * no store and hands over plain data, so that it can run in a thread beside the half that keeps.
 */
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { SourceFile } from "#api/importer.ts";
import type { Platform } from "#api/platform.ts";
import type { JobFile } from "#domain/job.ts";
import type { RowEncoder } from "#store/store.ts";
import type { Refusal } from "#api/refusals.ts";
import { type ParsedBatch, BatchBuilder } from "./batch-builder.ts";
import { type Document, type ParsedItem, isDocument, isRefused } from "./containers/document.ts";
import { documents } from "./containers/documents.ts";
import { type NamedFile, nameFiles, type Opened, type OpenedFile } from "./containers/open-files.ts";
import { readDocument, type ReadingPlatform, readingPlatforms } from "./read-document.ts";
import { SeenRecords } from "./dedupe.ts";

export interface ReadRequest {
  paths: string[];
  /** Whose followers a list holds that does not say so. */
  of: string | null;
  /** Unix milliseconds; for captures that carry no time of their own. */
  capturedAt: number | null;
  spoolFolder: string;
  /** Whether what was met word for word before may be passed over: not where some of it may have been erased. */
  passRepeats: boolean;
  /** When to ask again for files that others read; null to leave them to the others. */
  askAgainMs: number | null;
  claims: ClaimSource;
  /** Told of all bytes as they are read and unfolded. */
  onBytes?: ((count: number) => void) | undefined;
}

/** Asked before a file is opened: it may be another process's to read. */
export interface ClaimSource {
  claim(file: ClaimRequest): Promise<ClaimResponse>;
  /** Claims under which nothing can be kept any more. */
  readonly lost: ReadonlySet<number>;
}

export type ClaimRequest = Pick<NamedFile, "name" | "fingerprint">;

export type ClaimResponse =
  | {
      claim: number;
      /** What the file is called in reports. */
      name: string;
      /** How far it, or what is inside it, was read before. */
      before: Pick<JobFile, "name" | "fingerprint" | "state" | "position">[];
    }
  | "held"
  | "done";

/** One step of reading one file. */
export interface ReadBatch extends ParsedBatch {
  claim: number;
  /** Nothing more comes under this claim. */
  ends: boolean;
  file: string;
  fingerprint: string;
  /** Documents of the file that are dealt with, this batch included. */
  position: number;
  state: JobFile["state"];
  /** Of the file on disk that it is, or is inside of. */
  progress: { file: string; bytesRead: number; bytesTotal: number | null };
}

/** An archive was read to its end: its last file did not know that it was the last. */
export interface FileDone {
  claim: number;
  ended: true;
}

export type ReadStep = ReadBatch | FileDone;

export type ReadFiles = (request: ReadRequest) => AsyncIterable<ReadStep>;

/** Records to a batch: large enough to be quick, small enough that memory, readers and a kill hardly notice. */
const BATCH_RECORDS = 2_000;
const BATCH_DOCUMENTS = 2_000;

export async function* readFiles(
  platforms: readonly Platform[],
  preparing: RowEncoder,
  request: ReadRequest,
): AsyncGenerator<ReadStep> {
  const reading = new Reading(await readingPlatforms(platforms), preparing, request);
  const { askAgainMs } = request;
  let elsewhere: NamedFile[] = [];
  for await (const file of nameFiles(request.paths, request)) {
    if (!(yield* reading.readIfFree(file))) elsewhere.push(file);
  }
  if (askAgainMs === null) return;
  // What others read ends, or they do.
  while (elsewhere.length > 0) {
    const still: NamedFile[] = [];
    for (const file of elsewhere) if (!(yield* reading.readIfFree(file))) still.push(file);
    if (still.length === elsewhere.length) await pause(askAgainMs);
    elsewhere = still;
  }
}

class Reading {
  readonly #platforms: readonly ReadingPlatform[];
  readonly #preparing: RowEncoder;
  readonly #request: ReadRequest;
  #repeats: SeenRecords;

  constructor(platforms: readonly ReadingPlatform[], preparing: RowEncoder, request: ReadRequest) {
    this.#platforms = platforms;
    this.#preparing = preparing;
    this.#request = request;
    this.#repeats = new SeenRecords(request.passRepeats);
  }

  /** False if another process has the file. */
  async *readIfFree(file: NamedFile): AsyncGenerator<ReadStep, boolean> {
    const { claims, passRepeats } = this.#request;
    const answer = await claims.claim({ name: file.name, fingerprint: file.fingerprint });
    if (typeof answer === "string") return answer === "done";
    const reader = new FileReader(this.#platforms, this.#preparing, this.#request, this.#repeats, answer);
    let ended = false;
    for await (const opened of file.open(answer.name)) {
      for await (const batch of reader.batches(opened)) {
        yield batch;
        ended = batch.ends;
        if (claims.lost.has(answer.claim)) break;
      }
      if (claims.lost.has(answer.claim)) break;
    }
    if (claims.lost.has(answer.claim)) {
      // What was met in it was not kept after all.
      this.#repeats = new SeenRecords(passRepeats);
      return false;
    }
    if (!ended) yield { claim: answer.claim, ended: true };
    return true;
  }
}

/** Reads what is claimed: a file on disk with all that is inside it. */
class FileReader {
  readonly #platforms: readonly ReadingPlatform[];
  readonly #preparing: RowEncoder;
  readonly #request: ReadRequest;
  readonly #repeats: SeenRecords;
  readonly #claim: number;
  readonly #name: string;
  readonly #before: Map<string, Exclude<ClaimResponse, string>["before"][number]>;

  constructor(
    platforms: readonly ReadingPlatform[],
    preparing: RowEncoder,
    request: ReadRequest,
    repeats: SeenRecords,
    { claim, name, before }: Exclude<ClaimResponse, string>,
  ) {
    this.#platforms = platforms;
    this.#preparing = preparing;
    this.#request = request;
    this.#repeats = repeats;
    this.#claim = claim;
    this.#name = name;
    this.#before = new Map(before.map((file) => [file.name, file]));
  }

  async *batches(opened: Opened): AsyncGenerator<ReadBatch> {
    if ("bytes" in opened) yield* this.#read(opened);
    else yield this.#note(opened);
  }

  /** What bears the claimed file's own name is all of it, or the last that is told of it. */
  #under(name: string, state: JobFile["state"]): Pick<ReadBatch, "claim" | "ends" | "file" | "state"> {
    return { claim: this.#claim, ends: state === "done" && name === this.#name, file: name, state };
  }

  /** A file that was not read at all, with the reason. */
  #note({ name, ...reason }: { name: string; refused: Refusal } | { name: string; skipped: string }): ReadBatch {
    const gathering = new BatchBuilder(this.#repeats, this.#preparing);
    const progress = { file: name, bytesRead: 0, bytesTotal: null };
    const known = this.#before.get(name)?.fingerprint === "";
    if (!known && "refused" in reason)
      gathering.refuse({ file: { name, segments: [], of: null }, line: null }, reason.refused);
    if (!known && "skipped" in reason) gathering.skip(reason.skipped);
    return { ...gathering.gathered, ...this.#under(name, "done"), fingerprint: "", position: 0, progress };
  }

  async *#read(opened: OpenedFile): AsyncGenerator<ReadBatch> {
    const fingerprint = `${opened.size}:${opened.modifiedAt}`;
    const before = this.#before.get(opened.name);
    const from = before?.fingerprint === fingerprint ? before.position : 0;
    const source: SourceFile = { name: opened.name, segments: opened.segments, of: this.#request.of };
    const capturedAt = Math.floor(this.#request.capturedAt ?? opened.modifiedAt ?? Date.now());
    let gathering = new BatchBuilder(this.#repeats, this.#preparing);
    let position = from;
    const batch = (state: JobFile["state"]): ReadBatch => ({
      ...gathering.gathered,
      ...this.#under(opened.name, state),
      fingerprint,
      position,
      progress: { file: opened.outer.name, bytesRead: opened.bytesRead(), bytesTotal: opened.outer.size },
    });
    if (before?.fingerprint === fingerprint && before.state === "done") {
      yield batch("done");
      return;
    }
    let read = 0;
    for await (const found of documents(opened, { from })) {
      this.#take(found, source, capturedAt, gathering);
      if (!("index" in found)) continue;
      position = found.index + 1;
      read++;
      if (gathering.gathered.size < BATCH_RECORDS && read < BATCH_DOCUMENTS) continue;
      yield batch("running");
      gathering = new BatchBuilder(this.#repeats, this.#preparing);
      read = 0;
      // The process may have other things to do meanwhile.
      await nextTurn();
    }
    if (position === 0 && Object.keys(gathering.gathered.skipped).length === 0) gathering.skip("the file is empty");
    if (read === position) gathering.refuseOnce("unknown_format");
    yield batch("done");
  }

  #take(found: ParsedItem, file: SourceFile, fallback: number, gathering: BatchBuilder): void {
    if (isDocument(found)) this.#takeDocument(found, file, fallback, gathering);
    else if (isRefused(found)) gathering.refuse({ file, line: found.line ?? null }, found.refused);
    else gathering.skip(found.note);
  }

  #takeDocument(document: Document, file: SourceFile, fallback: number, gathering: BatchBuilder): void {
    const line = document.line ?? null;
    const capturedAt = document.capturedAt ?? fallback;
    if (readDocument(this.#platforms, document, { file, line, capturedAt }, gathering)) return;
    // An answer in a recording of browsing, or a part of a large document, need not be about posts at all.
    const partOfMore = document.origin.url !== undefined || document.within !== undefined;
    if (partOfMore) gathering.skip("nothing of a platform in it");
    else gathering.refuse({ file, line }, "unknown_format");
  }
}
