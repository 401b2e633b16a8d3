/** Writes parsed batches to the store, with the positions in their files and the claim on them, in one transaction. */
import { ClaimLost, type FileReport, type JobFile } from "#domain/job.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { zip } from "#domain/zip.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import type { Store } from "#store/store.ts";
import type { Changes, WriteCounts, WriteUnit } from "#store/write/port.ts";
import type { JobClaims } from "./claims.ts";
import { DryRunState } from "./dry-run.ts";
import { merge } from "./merge.ts";
import type { ReadBatch } from "./read-files.ts";
import { addBatch, addKindCounts, addReports, addWriteCounts, emptyReport } from "./report.ts";
import { IdentityResolver } from "./resolve-identities.ts";
import { toRecord } from "./to-record.ts";
import { resolveUncertainSubtitles } from "./uncertain-subtitles.ts";

export type BatchWriterStore = Pick<Store, "reader" | "writer" | "jobs" | "encoder" | "hasErased">;

const SAMPLE_SIZE = 10;

interface WriteStep {
  batch: ReadBatch;
  file: JobFile;
  isRestarted: boolean;
}

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

  /**
   * Writes batches of different files under one claim in one transaction. Returns the files after them, or null if another
   * process took the claim over: then nothing was written.
   */
  async write(batches: readonly ReadBatch[]): Promise<JobFile[] | null> {
    const claimId = batches[0]?.claimId ?? 0;
    if (this.#claims?.lostClaims.has(claimId) === true) return null;
    const steps = batches.map((batch) => ({ batch, ...this.#openFile(batch) }));
    let reports: FileReport[];
    try {
      reports = await this.#apply(steps);
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
      this.#claims?.markLost(claimId);
      this.#files.delete(claimId);
      return null;
    }
    return zip(steps, reports).map(([{ batch, file }, report]) => {
      Object.assign(file, advance(file, batch, report));
      this.report = addReports(this.report, report);
      this.recordCount += batch.recordCount;
      return file;
    });
  }

  async #apply(steps: readonly WriteStep[]): Promise<FileReport[]> {
    const claims = this.#claims;
    const together = steps.map(({ batch }) => batch);
    const prepared: { step: WriteStep; batch: ReadBatch; report: FileReport; changes: Changes[] }[] = [];
    for (const [index, step] of steps.entries()) {
      const batch = await resolveUncertainSubtitles(step.batch, (platform, ids) =>
        this.#findPosts(platform, ids, together.slice(0, index)),
      );
      const report = addBatch(emptyReport(), batch);
      prepared.push({ step, batch, report, changes: await this.#identities.toChanges(batch, together) });
    }
    const written: FileReport[] = [];
    if (claims === null) {
      for (const { report, changes } of prepared) written.push(addWriteCounts(report, await this.#preview(changes)));
      return written;
    }
    const units: WriteUnit[] = [];
    for (const [index, { step, batch, report: read, changes }] of prepared.entries()) {
      const claim = claims.createRenewal(batch.claimId, batch.isLast);
      await this.#identities.mergePlaceholders(batch, async () => {
        if (!(await claims.isOwned(batch.claimId))) throw new ClaimLost(claim.claim);
      });
      units.push({
        changes,
        merge,
        checkpoint: (counts) => {
          const report = addWriteCounts(read, counts);
          written[index] = report;
          const file = advance(step.file, batch, report);
          return { file, restarted: step.isRestarted, rejects: batch.rejects, claim };
        },
      });
    }
    await this.#store.writer.write(units);
    return written;
  }

  /** Those that are stored, or will be by earlier batches of the same transaction. */
  async #findPosts(platform: PlatformName, ids: string[], before: readonly ReadBatch[]): Promise<Set<string>> {
    const stored = await this.#store.reader(platform).getPosts(ids);
    const seen = ids.filter((id) => this.#dryRunState?.hasPost(platform, id) === true);
    const read = before.flatMap(({ byPlatform }) => byPlatform.get(platform)?.records ?? []);
    const posts = read.filter(({ kind }) => kind === "post").map(({ incoming }) => incoming);
    return new Set([...stored, ...posts].map(({ id }) => id).concat(seen));
  }

  async #preview(changes: readonly Changes[]): Promise<WriteCounts> {
    if (changes.length === 0) return {};
    this.#dryRunState ??= new DryRunState(this.#store.encoder);
    this.#addToSample(changes);
    const { unseen, seen } = this.#dryRunState.split(changes);
    const [counts = {}] = await this.#store.writer.write([{ changes: unseen, merge }], { dryRun: true });
    return addKindCounts(counts, seen);
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

/** The file after a batch with this report. */
function advance(file: JobFile, { position, state }: ReadBatch, report: FileReport): JobFile {
  return { ...file, position, state, report: addReports(file.report, report) };
}
