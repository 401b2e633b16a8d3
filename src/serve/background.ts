/** Work done once per service, however many processes serve: demo data, first token, import queue, trends, live sources. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { ownerScopesFor, scopesFor } from "#auth/scopes.ts";
import { CachedSummary } from "#http/admin/cached-summary.ts";
import { createAdminRunner, type RunAdmin } from "#http/admin/run-admin.ts";
import { seedDemoData } from "#import/demo-data.ts";
import { undoImport } from "#import/undo.ts";
import { RecentErrors } from "#http/admin/recent-errors.ts";
import { type MetricFamily, plainMetric } from "#http/metrics.ts";
import { sourceFamilies } from "#http/source-metrics.ts";
import { ImportQueue } from "#http/uploads/import-queue.ts";
import { UsageCounter } from "#http/usage-counter.ts";
import { tokenEvent } from "#privacy/audit-log.ts";
import type { ComputeRanking } from "#api/rankings.ts";
import type { Config } from "#config";
import { STORE_FILE } from "#store/sql/store-file.ts";
import type { Store, StoreSummary } from "#store/store.ts";
import { scheduleBackups } from "./backup-schedule.ts";
import { DemoTask } from "./demo-task.ts";
import { demoDataFor } from "./demo-world.ts";
import { type Services, openServices, withoutBlockingWrites } from "./services.ts";
import { openLog } from "./logging.ts";
import { type LiveThread, openLiveThread } from "./live/live-thread.ts";
import { listSources } from "./live/list-sources.ts";
import { selectSources } from "./live/select-sources.ts";
import { PLATFORMS, WATCHABLE } from "#platforms/registry.ts";
import { WatchList } from "#watches/watch-list.ts";
import type { OnProgress, SamplePost, StartupInfo } from "./service.ts";
import { probePort } from "./probe-port.ts";
import { type PurgeSchedule, schedulePurges } from "./purge-schedule.ts";
import { scheduleRetentionSweep } from "./retention-sweep.ts";
import { EndingTasks } from "./tasks/ending-tasks.ts";
import { runTask } from "./tasks/run-task.ts";
import { PastRankings, scheduleTrendRefresh } from "./trend-refresh.ts";
import { startWatchTicks } from "./watch-ticks.ts";
import { scheduleUsageFlush, type UsageFlush } from "./usage-flush.ts";

/** A store below this size is counted in milliseconds. */
const SMALL_BYTES = 4 * 1_048_576;

export interface BackgroundTasks {
  services: Services;
  /** Of these tasks. */
  metrics: () => MetricFamily[];
  log: Logger;
  /** Of this process. */
  reopenLog(): void;
  queue: ImportQueue;
  /** Null if no live source is on. */
  live: LiveThread | null;
  /** Creates the first token, so only a service that listens, and can print it, may call this. */
  describeStart(url: string): Promise<StartupInfo>;
  runAdmin: RunAdmin;
  computeRanking: ComputeRanking;
  /** Of this process, or of all workers: written to the store behind requests. */
  usage: UsageCounter;
  errors: RecentErrors;
  /** Waits for the import in progress. */
  close(): Promise<void>;
}

/** `onProgress` hears of demo data that is being created. */
export async function startBackgroundTasks(config: Config, onProgress?: OnProgress): Promise<BackgroundTasks> {
  // Before a store is created: the demo data would have a port in its URLs that this service never gets.
  selectSources(config);
  if (config.port !== 0) await probePort(config.host, config.port);
  const starting = await openServices(config);
  try {
    const demoSeeded = config.demo && (await seedDemoData(starting.store, demoDataFor(config), onProgress));
    const hasOtherPepper = !(await starting.audit.isSealedHere());
    const log = openLog(config);
    const { logger } = log;
    const services = withoutBlockingWrites(starting, config, ({ error }) =>
      logger.error({ err: error }, "the thread that writes ended; another one is started"),
    );
    const queue = new ImportQueue(services.store.jobs, config.dataDir, services.importFiles, (error, message) =>
      logger.error(error === null ? {} : { err: error }, message),
    );
    const live = openLiveThread(config, (error) => logger.error({ err: error }, "live source failed"));
    const stopWatches =
      live === null
        ? null
        : startWatchTicks(services.store.watches, live, (error) =>
            logger.error({ err: error }, "a watch failed; it is requested again at its next time"),
          );
    const refreshTrends = (asOf: number | null, signal: AbortSignal) =>
      runTask("refreshTrends", { config, now: Date.now(), asOf }, signal);
    const stopTrends = scheduleTrendRefresh(
      services.store,
      (signal) => refreshTrends(null, signal),
      (error) => logger.error({ err: error }, "trend refresh failed; retrying in a minute"),
    );
    const pastRankings = new PastRankings(refreshTrends);
    const sweeper = scheduleRetentionSweep(config, services.store, (error) =>
      logger.error({ err: error }, "retention sweep failed; retrying in a minute"),
    );
    const purges = schedulePurges(
      services.store,
      (signal) => runTask("purge", { config }, signal),
      (error) => logger.error({ err: error }, "deleted bytes are still on disk; trying again to remove them"),
    );
    const backups = scheduleBackups(config.backups, (file, signal) => runTask("backUp", { config, file }, signal), {
      onWritten: (file, { rows, seal }) => logger.info({ file, rows, sealed: seal === "here" }, "wrote a backup"),
      onError: (error) => logger.error({ err: error }, "cannot write a backup; retrying within 5 minutes"),
    });
    const usage = new UsageCounter();
    const errors = new RecentErrors();
    const usageFlush = scheduleUsageFlush(usage, services.store.usage, (error) =>
      logger.warn({ err: error }, "cannot write the usage of tokens; retrying"),
    );
    const demo = new DemoTask(config, services.store, (error) =>
      logger.error({ err: error }, "cannot add the demo data; retrying in 10 s"),
    );
    const reading = new EndingTasks();
    await demo.resume();
    return {
      services,
      metrics: () => [
        ...sweeper.families(),
        ...backups.families(),
        plainMetric("gauge", "triptych_uploads_queued", "Uploads that wait for their import.", queue.length),
        ...(live === null ? [] : sourceFamilies(live.status())),
      ],
      log: logger,
      reopenLog: () => log.reopen(),
      queue,
      live,
      async describeStart(url) {
        const bootstrapToken = await createBootstrapToken(services, config);
        const samplePosts = bootstrapToken === null || demoSeeded ? [] : await findSamplePosts(services);
        return { url, bootstrapToken, demoSeeded, samplePosts, hasOtherPepper };
      },
      runAdmin: createAdmin(services, config, { usageFlush, errors, demo, live, purges, reading }),
      computeRanking: (day) => pastRankings.compute(day),
      usage,
      errors,
      async close() {
        await stopWatches?.();
        await live?.close();
        await stopTrends();
        await pastRankings.close();
        await sweeper.stop();
        await purges.stop();
        await backups.stop();
        await queue.close();
        await demo.close();
        await reading.close();
        await usageFlush.stop();
        await services.close();
        log.close();
      },
    };
  } catch (error) {
    await starting.close();
    throw error;
  }
}

interface AdminTasks {
  usageFlush: UsageFlush;
  errors: RecentErrors;
  demo: DemoTask;
  live: LiveThread | null;
  purges: PurgeSchedule;
  reading: EndingTasks;
}

function createAdmin(
  { store, tokens, audit, recordAudit, retention }: Services,
  config: Config,
  tasks: AdminTasks,
): RunAdmin {
  const platforms = PLATFORMS.map(({ name }) => name);
  return createAdminRunner({
    store,
    tokens,
    audit: { record: recordAudit, listNewest: (...query) => audit.listNewest(...query) },
    retention,
    async undo(request) {
      const outcome = await undoImport(store, request);
      if (!request.dryRun) void tasks.purges.purgeSoon();
      return outcome;
    },
    previewSweep: (rules) => tasks.reading.run("previewSweep", { config, rules }),
    async erase(request) {
      const erasure = await runTask("erase", { config, request });
      return request.dryRun ? erasure : { ...erasure, isPurged: await tasks.purges.purgeSoon() };
    },
    scopes: scopesFor(platforms),
    summary: new CachedSummary({ summary: (now = Date.now()) => summarize(store, config, tasks.reading, now) }),
    flushUsage: () => tasks.usageFlush.flush(),
    errors: tasks.errors,
    addDemo: () => tasks.demo.start(),
    watches: new WatchList(store.watches, WATCHABLE),
    sources: {
      areOn: tasks.live !== null,
      list: (now) => listSources(config, store.sources, now),
      status: () => tasks.live?.status() ?? [],
    },
    platforms: PLATFORMS,
  });
}

/** Counts in a thread where SQLite would block this one for longer than a thread takes to start. */
function summarize(store: Store, config: Config, reading: EndingTasks, now: number): Promise<StoreSummary> {
  const isQuick = config.store !== null || statSync(join(config.dataDir, STORE_FILE)).size < SMALL_BYTES;
  return isQuick ? store.summary(now) : reading.run("summarize", { config, now });
}

/** The first start creates a token for the operator, unless API_TOKEN is set. */
async function createBootstrapToken(services: Services, config: Config): Promise<string | null> {
  if (config.apiToken !== null || (await services.tokens.list()).length > 0) return null;
  const scopes = ownerScopesFor(PLATFORMS.map(({ name }) => name));
  const { token, record } = await services.tokens.create({ label: "first start", scopes });
  await services.recordAudit(tokenEvent("service", "token.create", record));
  return token;
}

/** A first start on a store that has data already: examples name these. */
async function findSamplePosts({ store }: Services): Promise<SamplePost[]> {
  const found = await Promise.all(
    PLATFORMS.map(async ({ name }) => ({ platform: name, id: await store.reader(name).getAnyPostId() })),
  );
  return found.flatMap(({ platform, id }) => (id === null ? [] : [{ platform, id }]));
}
