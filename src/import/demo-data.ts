/** Adds the demo data to a store and removes it. */
import type { PlatformName } from "#domain/record.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/writer.ts";

const JOB = "demo";
const SOURCE = "demo";

type DemoData = Iterable<{ platform: PlatformName; batch: Batch }>;

/** Fills an empty store; also one in which an earlier start was killed midway. Returns whether it did. */
export async function seedDemoData(
  store: Store,
  load: () => Promise<DemoData>,
  onProgress: (records: number) => void = () => {},
): Promise<boolean> {
  const { jobs, writer } = store;
  const previous = await jobs.getJob(JOB);
  if (previous?.state === "done" || (previous === null && !(await store.isEmpty()))) return false;
  const now = Date.now();
  const job = {
    id: JOB,
    fingerprint: JOB,
    origin: "command" as const,
    label: "the demo world",
    createdAt: now,
    owner: "",
  };
  await jobs.writeJob({ ...job, state: "running", updatedAt: now });
  let records = 0;
  onProgress(records);
  for (const { platform, batch } of await load()) {
    await writer.write(platform, batch);
    records += Object.values(batch).reduce((sum, list: unknown[]) => sum + list.length, 0);
    onProgress(records);
  }
  await writer.refreshTrends();
  await jobs.writeJob({ ...job, state: "done", updatedAt: Date.now() });
  return true;
}

/** Returns the number of deleted records. The finished job stays, so the data is not added again. */
export async function removeDemoData({ writer }: Pick<Store, "writer">): Promise<number> {
  const removed = await writer.deleteSource(SOURCE);
  await writer.refreshTrends();
  return removed;
}
