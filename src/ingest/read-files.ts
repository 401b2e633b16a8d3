/**
 * The reading half of an import: files are opened, their documents read, what is found gathered into batches. It knows
 * no store and hands over plain data, so that it can run in a thread beside the half that keeps.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SourceFile } from "#contract/importer.ts";
import type { Platform } from "#contract/platform.ts";
import type { JobFile } from "#domain/job.ts";
import type { Preparing } from "#store/store.ts";
import { type Gathered, Gathering } from "./collecting.ts";
import { type Document, type Found, isDocument, isRefused } from "./containers/document.ts";
import { documents } from "./containers/documents.ts";
import { type OpenedFile, openFiles } from "./containers/open-files.ts";
import { readDocument, type ReadingPlatform, readingPlatforms } from "./read-document.ts";
import { Repeats } from "./repeats.ts";

export interface ReadRequest {
  paths: string[];
  /** Whose followers a list holds that does not say so. */
  of: string | null;
  /** Unix milliseconds; for captures that carry no time of their own. */
  capturedAt: number | null;
  spoolFolder: string;
  /** Whether what was met word for word before may be passed over: not where some of it may have been erased. */
  passRepeats: boolean;
  /** How far files were read before an interruption. */
  before: Pick<JobFile, "name" | "stamp" | "state" | "position">[];
}

/** One step of reading one file. */
export interface ReadBatch extends Gathered {
  file: string;
  stamp: string;
  /** Documents of the file that are dealt with, this batch included. */
  position: number;
  state: JobFile["state"];
  /** Of the file on disk that it is, or is inside of. */
  progress: { file: string; bytesRead: number; bytesTotal: number | null };
}

export type ReadFiles = (request: ReadRequest) => AsyncIterable<ReadBatch>;

/** Records to a batch: large enough to be quick, small enough that memory, readers and a kill hardly notice. */
const BATCH_RECORDS = 2_000;
const BATCH_DOCUMENTS = 2_000;

const UNRECOGNISED = "no known format, and none of the platforms' objects in it";

export async function* readFiles(
  platforms: readonly Platform[],
  preparing: Preparing,
  request: ReadRequest,
): AsyncGenerator<ReadBatch> {
  const reader = new FileReader(await readingPlatforms(platforms), preparing, request);
  for await (const opened of openFiles(request.paths, { spoolFolder: request.spoolFolder })) {
    if ("bytes" in opened) yield* reader.read(opened);
    else yield reader.note(opened);
  }
}

class FileReader {
  readonly #platforms: readonly ReadingPlatform[];
  readonly #preparing: Preparing;
  readonly #request: ReadRequest;
  readonly #before: Map<string, ReadRequest["before"][number]>;
  readonly #repeats: Repeats;

  constructor(platforms: readonly ReadingPlatform[], preparing: Preparing, request: ReadRequest) {
    this.#platforms = platforms;
    this.#preparing = preparing;
    this.#request = request;
    this.#repeats = new Repeats(request.passRepeats);
    this.#before = new Map(request.before.map((file) => [file.name, file]));
  }

  /** A file that was not read at all, with the reason. */
  note({ name, ...reason }: { name: string; refused: string } | { name: string; skipped: string }): ReadBatch {
    const gathering = new Gathering(this.#repeats, this.#preparing);
    const progress = { file: name, bytesRead: 0, bytesTotal: null };
    const known = this.#before.get(name)?.stamp === "";
    if (!known && "refused" in reason)
      gathering.refuse({ file: { name, segments: [], of: null }, line: null }, reason.refused);
    if (!known && "skipped" in reason) gathering.skip(reason.skipped);
    return { ...gathering.gathered, file: name, stamp: "", position: 0, state: "done", progress };
  }

  async *read(opened: OpenedFile): AsyncGenerator<ReadBatch> {
    const stamp = `${opened.size}:${opened.modifiedAt}`;
    const before = this.#before.get(opened.name);
    const from = before?.stamp === stamp ? before.position : 0;
    const source: SourceFile = { name: opened.name, segments: opened.segments, of: this.#request.of };
    const capturedAt = Math.floor(this.#request.capturedAt ?? opened.modifiedAt ?? Date.now());
    let gathering = new Gathering(this.#repeats, this.#preparing);
    let position = from;
    const batch = (state: JobFile["state"]): ReadBatch => ({
      ...gathering.gathered,
      file: opened.name,
      stamp,
      position,
      state,
      progress: { file: opened.outer.name, bytesRead: opened.bytesRead(), bytesTotal: opened.outer.size },
    });
    if (before?.stamp === stamp && before.state === "done") {
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
      gathering = new Gathering(this.#repeats, this.#preparing);
      read = 0;
      // The process may have other things to do meanwhile.
      await nextTurn();
    }
    if (position === 0 && Object.keys(gathering.gathered.skipped).length === 0) gathering.skip("the file is empty");
    if (read === position) gathering.refuseOnce(UNRECOGNISED);
    yield batch("done");
  }

  #take(found: Found, file: SourceFile, fallback: number, gathering: Gathering): void {
    if (isDocument(found)) this.#takeDocument(found, file, fallback, gathering);
    else if (isRefused(found)) gathering.refuse({ file, line: found.line ?? null }, found.refused);
    else gathering.skip(found.note);
  }

  #takeDocument(document: Document, file: SourceFile, fallback: number, gathering: Gathering): void {
    const line = document.line ?? null;
    const capturedAt = document.capturedAt ?? fallback;
    if (readDocument(this.#platforms, document, { file, line, capturedAt }, gathering)) return;
    // An answer in a recording of browsing, or a part of a large document, need not be about posts at all.
    const partOfMore = document.origin.url !== undefined || document.within !== undefined;
    if (partOfMore) gathering.skip("nothing of a platform in it");
    else gathering.refuse({ file, line }, UNRECOGNISED);
  }
}
