/** Writes parsed batches to the store: each with the position in its file, under the claim on it, in one transaction. */
import { ClaimLost, type FileReport, type JobFile } from "#domain/job.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/encoded-record.ts";
import type { Store } from "#store/store.ts";
import type { Changes, WriteCounts } from "#store/writer.ts";
import type { JobClaims } from "./claims.ts";
import { DryRunState, toRecord } from "./dry-run.ts";
import { merge } from "./merge.ts";
import type { ReadBatch } from "./read-files.ts";
import { addBatch, addKindCounts, addReports, addWriteCounts, emptyReport } from "./report.ts";
import { IdentityResolver } from "./resolve-identities.ts";
import { resolveUncertainSubtitles } from "./uncertain-subtitles.ts";

export type BatchWriterStore = Pick<Store, "reader" | "writer" | "jobs" | "encoder" | "hasErased">;

const SAMPLE_SIZE = 10;

export class BatchWriter {
  readonly #store: BatchWriterStore;
  readonly #jobId: string;
  /** Null in a dry run: then nothing is written. */
  readonly #claims: JobClaims | null;
  readonly #identities: IdentityResolver;
  /** By claim, then by name. */
  readonly #files = new Map<number, Map<string, JobFile>>();
  #dryRunState: DryRunState | undefined;
  readonly #sampleKind: RecordKind | null;
  /** The first records of the kind, in a dry run. */
  readonly sample: AnyRecord[] = [];
  /** What this process did, whatever others did with the same files before. */
  report: FileReport = emptyReport();
  recordCount = 0;

  constructor(store: BatchWriterStore, jobId: string, claims: JobClaims | null, sampleKind: RecordKind | null = null) {
    this.#store = store;
    this.#jobId = jobId;
    this.#claims = claims;
    this.#identities = new IdentityResolver(store);
    this.#sampleKind = sampleKind;
  }

  /** The files that this process read, with their progress. */
  files(): JobFile[] {
    return [...this.#files.values()].flatMap((files) => [...files.values()]);
  }

  /** Returns the file after the batch, or null if another process took it over: then nothing was written. */
  async write(batch: ReadBatch): Promise<JobFile | null> {
    if (this.#claims?.lostClaims.has(batch.claimId) === true) return null;
    const { file, isRestarted } = this.#openFile(batch);
    const { position, state } = batch;
    const after = (report: FileReport): JobFile => ({
      ...file,
      position,
      state,
      report: addReports(file.report, report),
    });
    let report: FileReport;
    try {
      report = await this.#apply(batch, (applied) => ({ file: after(applied), restarted: isRestarted }));
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
      this.#claims?.markLost(batch.claimId);
      this.#files.delete(batch.claimId);
      return null;
    }
    Object.assign(file, after(report));
    this.report = addReports(this.report, report);
    this.recordCount += batch.recordCount;
    return file;
  }

  async #apply(
    readBatch: ReadBatch,
    checkpoint: (report: FileReport) => { file: JobFile; restarted: boolean },
  ): Promise<FileReport> {
    const claims = this.#claims;
    const batch = await resolveUncertainSubtitles(readBatch, (platform, ids) => this.#findPosts(platform, ids));
    const parsed = addBatch(emptyReport(), batch);
    const changes = await this.#identities.toChanges(batch);
    if (claims === null) return addWriteCounts(parsed, await this.#preview(changes));
    const claim = claims.createRenewal(batch.claimId, batch.isLast);
    await this.#identities.mergePlaceholders(batch, async () => {
      if (!(await claims.isOwned(batch.claimId))) throw new ClaimLost(claim.claim);
    });
    let report = parsed;
    await this.#store.writer.apply(changes, merge, (counts) => {
      report = addWriteCounts(parsed, counts);
      return { ...checkpoint(report), rejects: batch.rejects, claim };
    });
    return report;
  }

  async #findPosts(platform: PlatformName, ids: string[]): Promise<Set<string>> {
    const stored = await this.#store.reader(platform).getPosts(ids);
    const seen = ids.filter((id) => this.#dryRunState?.hasPost(platform, id) === true);
    return new Set([...stored.map(({ id }) => id), ...seen]);
  }

  async #preview(changes: readonly Changes[]): Promise<WriteCounts> {
    this.#dryRunState ??= new DryRunState(this.#store.encoder);
    this.#addToSample(changes);
    const { unseen, seen } = this.#dryRunState.split(changes);
    return addKindCounts(await this.#store.writer.preview(unseen, merge), seen);
  }

  #addToSample(changes: readonly Changes[]): void {
    for (const { kind, incoming } of changes.flatMap(({ records }) => records)) {
      if (this.sample.length === SAMPLE_SIZE) return;
      if (kind === this.#sampleKind) this.sample.push(toRecord(incoming.id, incoming));
    }
  }

  #openFile({ claimId, file: name, fingerprint }: ReadBatch): { file: JobFile; isRestarted: boolean } {
    let files = this.#files.get(claimId);
    if (files === undefined) this.#files.set(claimId, (files = new Map()));
    const current = files.get(name);
    if (current?.state === "running") return { file: current, isRestarted: false };
    const previous = current === undefined ? this.#claims?.previousProgress(claimId, name) : undefined;
    const file: JobFile =
      previous?.fingerprint === fingerprint
        ? { ...previous }
        : { jobId: this.#jobId, name, fingerprint, state: "running", position: 0, report: emptyReport() };
    // Two entries of one archive may share a name: their reports add up.
    if (current !== undefined) file.report = addReports(current.report, file.report);
    files.set(name, file);
    // The file was replaced since the interruption: refusals in the old one no longer count.
    return { file, isRestarted: previous !== undefined && previous.fingerprint !== fingerprint };
  }
}
