/** The thread of one task, with a store of its own: see run-task.ts. */
import { writeDemoData } from "#import/demo-data.ts";
import { erase } from "#privacy/erase.ts";
import { previewSweep, sweep } from "#privacy/retention.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { demoDataFor } from "../demo-world.ts";
import { openStore, type OpenStoreOptions } from "../open-store.ts";
import { answerOwner } from "../rpc/answer-owner.ts";
import { NO_METHODS } from "../rpc/rpc-channel.ts";
import type { Services } from "../services.ts";
import { TASKS } from "./tasks.ts";

answerOwner(
  TASKS,
  {
    addDemoData: ({ config, claimed }) =>
      withStore(config, {}, async (store) => {
        await writeDemoData(store, claimed, demoDataFor(config));
        return null;
      }),
    refreshTrends: ({ config, now, asOf }) =>
      withStore(config, { clock: () => now }, async (store) => {
        await store.writer.refreshTrends(asOf);
        return null;
      }),
    async backUp({ config, file }) {
      const { backUp } = await import("../backup.ts");
      const { tables, seal } = await backUp(config, file, { actor: "service" }, () => undefined);
      return { rows: Object.values(tables).reduce((sum, total) => sum + total.rows, 0), seal };
    },
    erase: ({ config, request }) =>
      withServices(config, ({ store, audit }) =>
        // The service removes the bytes, for several erasures at once: see purge-schedule.ts.
        erase({ store, audit, dataDir: config.dataDir, purge: async () => false }, request),
      ),
    sweep: ({ config, now }) =>
      withServices(config, async ({ store, audit, retention }) => {
        const counts = await sweep(store, retention, { now });
        if (Object.keys(counts).length > 0) {
          await audit.record({ actor: "service", action: "retention.sweep", details: { ...counts } });
        }
        return counts;
      }),
    previewSweep: ({ config, rules }) =>
      withServices(config, ({ store, retention }) => {
        const table = { list: async () => [...rules], hasSource: (name: string) => store.retention.hasSource(name) };
        return previewSweep({ writer: store.writer, retention: table }, retention);
      }),
    purge: ({ config }) => withServices(config, ({ store }) => store.writer.purgeErased()),
    summarize: ({ config, now }) => withStore(config, {}, (store) => store.summary(now)),
  },
  NO_METHODS,
);

async function withStore<Outcome>(
  config: Config,
  options: OpenStoreOptions,
  work: (store: Store) => Promise<Outcome>,
): Promise<Outcome> {
  const store = await openStore(config, "small", options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withServices<Outcome>(config: Config, work: (services: Services) => Promise<Outcome>): Promise<Outcome> {
  // Loaded on demand: a refresh of trends needs no endpoint.
  const { openServices } = await import("../services.ts");
  const services = await openServices(config);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
