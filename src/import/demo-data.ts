/** Puts the demo world into a store, and takes it out again. */
import type { PlatformName } from "#domain/record.ts";
import type { Batch, Store } from "#store/store.ts";

const JOB = "demo";
const SOURCE = "demo";

type World = Iterable<{ platform: PlatformName; batch: Batch }>;

/** Fills an empty store. A start that was killed midway left a job behind: then it is filled anew. */
export async function seedDemoData(store: Store, load: () => Promise<World>): Promise<boolean> {
  const { jobs, writer } = store;
  const before = await jobs.getJob(JOB);
  if (before?.state === "done" || (before === null && !(await store.isEmpty()))) return false;
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
  for (const { platform, batch } of await load()) await writer.write(platform, batch);
  await jobs.writeJob({ ...job, state: "done", updatedAt: Date.now() });
  return true;
}

/** The number of records that went. The world does not come back by itself. */
export function removeDemoData({ writer }: Pick<Store, "writer">): Promise<number> {
  return writer.deleteSource(SOURCE);
}
