/**
 * Opens files, reads their documents and collects the records into batches. It knows no store and yields plain data, so
 * that it can run in a thread beside the one that writes.
 */
import { setImmediate as nextTick, setTimeout as delay } from "node:timers/promises";
import type { SourceFile } from "#api/importer.ts";
import type { PlatformRecords } from "#api/platform.ts";
import type { Refusal } from "#api/refusals.ts";
import type { JobFile } from "#domain/job.ts";
import type { RowEncoder } from "#store/write/encoded-record.ts";
import { BATCH_TEXT, BatchBuilder, type ParsedBatch } from "./batch-builder.ts";
import { type Document, isDocument, isRefused, type ParsedItem } from "./containers/document.ts";
import { readDocuments } from "./containers/documents.ts";
import { type InputFile, listInputFiles, type OpenedFile, type OpenResult } from "./containers/open-files.ts";
import { toRefusal } from "./containers/unreadable-error.ts";
import { SeenRecords } from "./dedupe.ts";
import { mappedPlatform, type TableMapping } from "./mapped-table.ts";
import { type ImportPlatform, loadImportPlatforms, readDocument } from "./read-document.ts";

export interface ReadRequest {
  paths: string[];
  /** What a list is about that does not say so itself (`--of`). */
  subject: string | null;
  /** Names of subtitle files are ids of their videos (`--names-are-ids`). */
  namesAreIds: boolean;
  /** Unix milliseconds, for captures without a time of their own. */
  capturedAt: number | null;
  /** Reads all files as tables of this kind; null to detect their formats. */
  mapping: TableMapping | null;
  spoolFolder: string;
  /** Whether identical captures may be skipped: not if the store has erased records, since those are counted as erased. */
  skipDuplicates: boolean;
  /** How often to retry claiming files of other processes; null to leave them to the others. */
  claimRetryMs: number | null;
  claims: ClaimSource;
  /** Called for all bytes that are read or decompressed. */
  onBytes?: ((count: number) => void) | undefined;
}

/** Grants files to read: another process may be reading them. */
export interface ClaimSource {
  claim(file: ClaimRequest): Promise<ClaimResponse>;
  /** Claims under which nothing can be written any more. */
  readonly lostClaims: ReadonlySet<number>;
}

export type ClaimRequest = Pick<InputFile, "name" | "fingerprint">;

export interface GrantedClaim {
  claimId: number;
  /** The file's name in reports. */
  name: string;
  /** Earlier progress: of the file itself or of files inside it. */
  previous: Pick<JobFile, "name" | "fingerprint" | "state" | "position">[];
}

export type ClaimResponse = GrantedClaim | "busy" | "done";

export interface ReadBatch extends ParsedBatch {
  kind: "batch";
  claimId: number;
  /** Nothing more comes under this claim. */
  isLast: boolean;
  file: string;
  fingerprint: string;
  /** Documents of the file read so far, this batch included. */
  position: number;
  state: JobFile["state"];
  /** Of the file on disk. */
  progress: { file: string; bytesRead: number; bytesTotal: number | null };
}

/** The end of an archive: its last entry does not know that it is the last. */
export interface FileDone {
  kind: "fileDone";
  claimId: number;
}

export type ReadStep = ReadBatch | FileDone;

export type ReadFiles = (request: ReadRequest) => AsyncIterable<ReadStep>;

/** Large enough to be fast, small enough for memory, for other readers of the store, and for resuming. */
const BATCH_RECORDS = 2_000;
const BATCH_DOCUMENTS = 2_000;

export async function* readFiles(
  platforms: readonly PlatformRecords[],
  encoder: RowEncoder,
  request: ReadRequest,
): AsyncGenerator<ReadStep> {
  const { claimRetryMs, mapping } = request;
  const loaded = await loadImportPlatforms(platforms);
  const reader = new FileSetReader(mapping === null ? loaded : [mappedPlatform(loaded, mapping)], encoder, request);
  let busy: InputFile[] = [];
  for await (const file of listInputFiles(request.paths, request)) {
    if (!(yield* reader.readIfUnclaimed(file))) busy.push(file);
  }
  if (claimRetryMs === null) return;
  while (busy.length > 0) {
    const stillBusy: InputFile[] = [];
    for (const file of busy) if (!(yield* reader.readIfUnclaimed(file))) stillBusy.push(file);
    if (stillBusy.length === busy.length) await delay(claimRetryMs);
    busy = stillBusy;
  }
}

class FileSetReader {
  readonly #platforms: readonly ImportPlatform[];
  readonly #encoder: RowEncoder;
  readonly #request: ReadRequest;
  #seenRecords: SeenRecords;

  constructor(platforms: readonly ImportPlatform[], encoder: RowEncoder, request: ReadRequest) {
    this.#platforms = platforms;
    this.#encoder = encoder;
    this.#request = request;
    this.#seenRecords = new SeenRecords(request.skipDuplicates);
  }

  /** Returns false if another process has the file. */
  async *readIfUnclaimed(file: InputFile): AsyncGenerator<ReadStep, boolean> {
    const { claims, skipDuplicates } = this.#request;
    const claim = await claims.claim({ name: file.name, fingerprint: file.fingerprint });
    if (claim === "busy") return false;
    if (claim === "done") return true;
    const { claimId } = claim;
    const newBuilder = () => new BatchBuilder(this.#seenRecords, this.#encoder);
    const reader = new ClaimedFileReader(this.#platforms, this.#request, claim, newBuilder);
    let isEnded = false;
    for await (const opened of file.open(claim.name)) {
      for await (const batch of reader.readBatches(opened)) {
        yield batch;
        isEnded = batch.isLast;
        if (claims.lostClaims.has(claimId)) break;
      }
      if (claims.lostClaims.has(claimId)) break;
    }
    if (claims.lostClaims.has(claimId)) {
      // Records of the lost batches were not written, so they must not count as seen.
      this.#seenRecords = new SeenRecords(skipDuplicates);
      return false;
    }
    if (!isEnded) yield { kind: "fileDone", claimId };
    return true;
  }
}

interface FileContext {
  source: SourceFile;
  /** Unix milliseconds, for documents without a time of their own. */
  capturedAt: number;
  /** Whether a format was found in any document so far. Assumed where reading is resumed. */
  isRecognised: boolean;
}

/** Reads a claimed file on disk with everything inside it. */
class ClaimedFileReader {
  readonly #platforms: readonly ImportPlatform[];
  readonly #request: ReadRequest;
  readonly #claim: GrantedClaim;
  readonly #previous: ReadonlyMap<string, GrantedClaim["previous"][number]>;
  readonly #newBuilder: () => BatchBuilder;

  constructor(
    platforms: readonly ImportPlatform[],
    request: ReadRequest,
    claim: GrantedClaim,
    newBuilder: () => BatchBuilder,
  ) {
    this.#platforms = platforms;
    this.#request = request;
    this.#claim = claim;
    this.#previous = new Map(claim.previous.map((file) => [file.name, file]));
    this.#newBuilder = newBuilder;
  }

  async *readBatches(opened: OpenResult): AsyncGenerator<ReadBatch> {
    if ("bytes" in opened) yield* this.#readFile(opened);
    else yield this.#createUnreadBatch(opened);
  }

  #createBatch(
    { batch }: BatchBuilder,
    file: Pick<ReadBatch, "file" | "fingerprint" | "position" | "state" | "progress">,
  ): ReadBatch {
    const { claimId, name } = this.#claim;
    // A file inside the claimed one has another name, and more may follow it.
    return { ...batch, ...file, kind: "batch", claimId, isLast: file.state === "done" && file.file === name };
  }

  /** For a file that was refused or skipped as a whole. */
  #createUnreadBatch({
    name,
    ...reason
  }: { name: string; refused: Refusal } | { name: string; skipped: string }): ReadBatch {
    const builder = this.#newBuilder();
    const isReported = this.#previous.get(name)?.fingerprint === "";
    if (!isReported && "refused" in reason)
      builder.refuse({ file: { name, segments: [], subject: null }, line: null }, reason.refused);
    if (!isReported && "skipped" in reason) builder.skip(reason.skipped);
    const progress = { file: name, bytesRead: 0, bytesTotal: null };
    return this.#createBatch(builder, { file: name, fingerprint: "", position: 0, state: "done", progress });
  }

  async *#readFile(opened: OpenedFile): AsyncGenerator<ReadBatch> {
    const fingerprint = `${opened.size}:${opened.modifiedAt}`;
    const previous = this.#previous.get(opened.name);
    const isSameFile = previous?.fingerprint === fingerprint;
    const firstIndex = isSameFile ? previous.position : 0;
    const { name, segments, siblings } = opened;
    const { subject, namesAreIds } = this.#request;
    const file: FileContext = {
      source: { name, segments, subject, namesAreIds, ...(siblings && { siblings }) },
      capturedAt: Math.floor(this.#request.capturedAt ?? opened.modifiedAt ?? Date.now()),
      isRecognised: firstIndex > 0,
    };
    let builder = this.#newBuilder();
    let position = firstIndex;
    const createBatch = (state: JobFile["state"]): ReadBatch =>
      this.#createBatch(builder, {
        file: opened.name,
        fingerprint,
        position,
        state,
        progress: { file: opened.diskFile.name, bytesRead: opened.bytesRead(), bytesTotal: opened.diskFile.size },
      });
    if (isSameFile && previous.state === "done") {
      yield createBatch("done");
      return;
    }
    let batchDocuments = 0;
    for await (const item of readDocuments(opened, { firstIndex, isTable: this.#request.mapping !== null })) {
      this.#addItem(item, file, builder);
      if (!("index" in item)) continue;
      position = item.index + 1;
      batchDocuments++;
      const { recordCount, textLength } = builder.batch;
      if (recordCount < BATCH_RECORDS && textLength < BATCH_TEXT && batchDocuments < BATCH_DOCUMENTS) continue;
      yield createBatch("running");
      builder = this.#newBuilder();
      batchDocuments = 0;
      // Lets the thread handle other events.
      await nextTick();
    }
    if (position === 0 && Object.keys(builder.batch.skipped).length === 0) builder.skip("no records in it");
    if (batchDocuments === position) builder.refuseOnce("unknown_format");
    yield createBatch("done");
  }

  #addItem(item: ParsedItem, file: FileContext, builder: BatchBuilder): void {
    if (isDocument(item)) this.#addDocument(item, file, builder);
    else if (isRefused(item)) builder.refuse({ file: file.source, line: item.line ?? null }, item.refused);
    else builder.skip(item.note);
  }

  #addDocument(document: Document, context: FileContext, builder: BatchBuilder): void {
    const { source: file } = context;
    const line = document.line ?? null;
    const capturedAt = document.capturedAt ?? context.capturedAt;
    try {
      if (readDocument(this.#platforms, { ...document, capturedAt }, { file, line, capturedAt }, builder)) {
        context.isRecognised = true;
        return;
      }
    } catch (error) {
      builder.refuse({ file, line }, toRefusal(error));
      return;
    }
    // What is left of a large document after its elements were read need not have anything else.
    if (document.splitPaths !== undefined && context.isRecognised) return;
    // A response of a HAR, or an element of a large document, need not be about posts at all.
    const isPart = document.origin.url !== undefined || document.location !== undefined;
    if (isPart) builder.skip("no platform data in it");
    else builder.refuse({ file, line }, "unknown_format");
  }
}
