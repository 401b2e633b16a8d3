/**
 * The keeping half of an import: what was read goes into the store, batch by batch, each with the position in its file
 * and under the claim on it, in one transaction.
 */
import { ClaimLost, type FileReport, type JobFile } from "#domain/job.ts";
import type { Changes, WriteCounts, Store } from "#store/store.ts";
import type { JobClaims } from "./claims.ts";
import { merge } from "./merge.ts";
import type { ReadBatch } from "./read-files.ts";
import { DryRunState } from "./dry-run.ts";
import { addKinds, addReports, emptyReport, withBatch, withOutcome } from "./report.ts";
import { IdentityResolver } from "./resolve-identities.ts";

export type BatchWriterStore = Pick<Store, "reader" | "writer" | "jobs" | "encoder" | "hasErased">;

export class BatchWriter {
  readonly #store: BatchWriterStore;
  readonly #jobId: string;
  /** Null in a rehearsal: then nothing is kept. */
  readonly #claims: JobClaims | null;
  readonly #settler: IdentityResolver;
  /** By claim, then by name. */
  readonly #files = new Map<number, Map<string, JobFile>>();
  #rehearsed: DryRunState | undefined;
  /** What this process did, whatever others did with the same files before. */
  did: FileReport = emptyReport();
  records = 0;

  constructor(store: BatchWriterStore, jobId: string, claims: JobClaims | null) {
    this.#store = store;
    this.#jobId = jobId;
    this.#claims = claims;
    this.#settler = new IdentityResolver(store);
  }

  /** Files that were read here, as far as they were. */
  files(): JobFile[] {
    return [...this.#files.values()].flatMap((files) => [...files.values()]);
  }

  /** The file as it stands after the batch; null if another process has it by now, and nothing was kept. */
  async write(batch: ReadBatch): Promise<JobFile | null> {
    if (this.#claims?.lost.has(batch.claim) === true) return null;
    const { file, restarted } = this.#fileOf(batch);
    const { position, state } = batch;
    let did = withBatch(emptyReport(), batch);
    const changes = await this.#settler.changes(batch);
    try {
      did = await this.#apply(batch, changes, did, (report) => ({
        file: { ...file, position, state, report: addReports(file.report, report) },
        restarted,
      }));
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
      this.#claims?.lose(batch.claim);
      this.#files.delete(batch.claim);
      return null;
    }
    Object.assign(file, { position, state, report: addReports(file.report, did) });
    this.did = addReports(this.did, did);
    this.records += batch.size;
    return file;
  }

  async #apply(
    batch: ReadBatch,
    changes: Changes[],
    read: FileReport,
    reached: (did: FileReport) => { file: JobFile; restarted: boolean },
  ): Promise<FileReport> {
    const claims = this.#claims;
    if (claims === null) return withOutcome(read, await this.#rehearse(changes));
    const claim = claims.step(batch.claim, batch.ends);
    await this.#settler.adopt(batch, async () => {
      if (!(await claims.isStillHeld(batch.claim))) throw new ClaimLost(claim.claim);
    });
    let did = read;
    await this.#store.writer.apply(changes, merge, (outcome) => {
      did = withOutcome(read, outcome);
      return { ...reached(did), rejects: batch.rejects, claim };
    });
    return did;
  }

  /** Nothing is kept, so what an earlier batch would have made is remembered here. */
  async #rehearse(changes: readonly Changes[]): Promise<WriteCounts> {
    this.#rehearsed ??= new DryRunState(this.#store.encoder);
    const { unseen, seen } = this.#rehearsed.split(changes);
    return addKinds(await this.#store.writer.preview(unseen, merge), seen);
  }

  #fileOf({ claim, file: name, fingerprint }: ReadBatch): { file: JobFile; restarted: boolean } {
    let files = this.#files.get(claim);
    if (files === undefined) this.#files.set(claim, (files = new Map()));
    const begun = files.get(name);
    if (begun?.state === "running") return { file: begun, restarted: false };
    const before = begun === undefined ? this.#claims?.before(claim, name) : undefined;
    const file: JobFile =
      before?.fingerprint === fingerprint
        ? { ...before }
        : { jobId: this.#jobId, name, fingerprint: fingerprint, state: "running", position: 0, report: emptyReport() };
    // Two entries of one archive may share a name: their reports add up.
    if (begun !== undefined) file.report = addReports(begun.report, file.report);
    files.set(name, file);
    // Another file of that name stood there before the interruption: what was refused in it is no longer so.
    return { file, restarted: before !== undefined && before.fingerprint !== fingerprint };
  }
}
