/** Adds the demo data to an empty store, as an import that can be watched, and removes it. */
import type { FileClaim, FileReport, Job } from "#domain/job.ts";
import type { Store } from "#store/store.ts";
import type { WriteUnit } from "#store/write/port.ts";
import { LEASE_MS } from "./claims.ts";
import { isProcessDead, newProcessId } from "./process-identity.ts";
import { addReports, addWriteCounts, countRecords, emptyReport } from "./report.ts";

export const DEMO_JOB = "demo";
const SOURCE = "demo";
const FILE = "demo world";

/** Returns the data as of a moment, Unix milliseconds. */
export type LoadDemoData = (now: number) => Promise<Iterable<WriteUnit>>;

/** The exclusive right to add the demo data. */
export interface DemoClaim {
  job: Job;
  claim: FileClaim;
}

/** For a store that is empty, or in which adding the data was interrupted. */
export async function claimDemoData({
  jobs,
  isEmpty,
}: Pick<Store, "jobs" | "isEmpty">): Promise<DemoClaim | "not empty" | "running"> {
  const previous = await jobs.getJob(DEMO_JOB);
  if (previous?.state !== "running" && !(await isEmpty())) return "not empty";
  const [now, owner] = [Date.now(), newProcessId()];
  const job = await jobs.startJob({
    id: DEMO_JOB,
    fingerprint: DEMO_JOB,
    origin: "command",
    label: "the demo world",
    state: "running",
    createdAt: now,
    updatedAt: now,
    owner,
  });
  const claim = { jobId: job.id, claimGroup: job.id, path: FILE, name: FILE, fingerprint: null, owner };
  let outcome = await jobs.claimFile(claim, LEASE_MS);
  if (outcome.state === "busy" && isProcessDead(outcome.owner))
    outcome = await jobs.claimFile(claim, LEASE_MS, outcome.owner);
  if (outcome.state === "busy") return "running";
  return outcome.state === "done" ? "not empty" : { job, claim };
}

/** Resumed, it writes the same data from its start. Returns the number of records. */
export async function writeDemoData(
  { jobs, writer }: Pick<Store, "jobs" | "writer">,
  { job, claim }: DemoClaim,
  load: LoadDemoData,
  onProgress: (records: number) => void = () => {},
): Promise<number> {
  const { id: jobId } = job;
  let report = emptyReport();
  let position = 0;
  const writeProgress = (state: "running" | "done") =>
    jobs.writeJobFile({ jobId, name: FILE, fingerprint: "", state, position, report });
  try {
    await writeProgress("running");
    onProgress(0);
    for (const unit of await load(job.createdAt)) {
      if ((await jobs.renewClaims(jobId, claim.owner, LEASE_MS)).length === 0)
        throw new Error("another process took over the demo data");
      const [counts = {}] = await writer.write([unit]);
      report = addDemoBatch(report, counts);
      position++;
      await writeProgress("running");
      onProgress(countRecords(report));
    }
    await writer.refreshTrends();
    await writeProgress("done");
    await jobs.finishClaim(claim);
    await jobs.finishJob(jobId, Date.now());
    return countRecords(report);
  } catch (error) {
    await jobs.releaseClaims(jobId, claim.owner).catch(() => undefined);
    throw error;
  }
}

/** For a first start: data that was removed is not added again. Returns whether it was added. */
export async function seedDemoData(
  store: Store,
  load: LoadDemoData,
  onProgress?: (records: number) => void,
): Promise<boolean> {
  if ((await store.jobs.getJob(DEMO_JOB))?.state === "done") return false;
  const claimed = await claimDemoData(store);
  if (typeof claimed === "string") return false;
  await writeDemoData(store, claimed, load, onProgress);
  return true;
}

/** Returns the number of deleted records. The finished job stays, so that no later start adds the data again. */
export async function removeDemoData({ writer }: Pick<Store, "writer">): Promise<number> {
  const removed = await writer.deleteSource(SOURCE);
  await writer.refreshTrends();
  return removed;
}

function addDemoBatch(report: FileReport, counts: FileReport["records"]): FileReport {
  return addWriteCounts(addReports(report, { ...emptyReport(), formats: { [SOURCE]: 1 } }), counts);
}
