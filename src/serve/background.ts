/** Work done once per service, however many processes serve: demo data, first token, import queue, trends. */
import type { Logger } from "pino";
import { readScopesFor } from "#auth/scopes.ts";
import { seedDemoData } from "#import/demo-data.ts";
import { ImportQueue } from "#http/uploads/import-queue.ts";
import type { Config } from "#config";
import { type Services, openServices } from "./services.ts";
import { openLog } from "./logging.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { scheduleTrendRefresh } from "./trend-refresh.ts";

export interface BackgroundTasks {
  services: Services;
  log: Logger;
  queue: ImportQueue;
  bootstrapToken: string | null;
  demoSeeded: boolean;
  /** Waits for the import in progress. */
  close(): Promise<void>;
}

export async function startBackgroundTasks(config: Config): Promise<BackgroundTasks> {
  const services = await openServices(config);
  try {
    const demoSeeded = config.demo && (await seedDemoData(services.store, loadDemoWorld));
    const bootstrapToken = await createBootstrapToken(services, config);
    const log = openLog(config);
    const { logger } = log;
    const queue = new ImportQueue(services.store.jobs, config.dataDir, services.importFiles, (error) =>
      logger.error({ err: error }, "import failed; it will resume at the next start"),
    );
    const stopTrends = scheduleTrendRefresh(config, services.store, (error) =>
      logger.error({ err: error }, "trend refresh failed; retrying in a minute"),
    );
    return {
      services,
      log: logger,
      queue,
      bootstrapToken,
      demoSeeded,
      async close() {
        await stopTrends();
        await queue.close();
        await services.close();
        log.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** Loaded only on the first start. */
async function loadDemoWorld() {
  const { demoWorld } = await import("#demo/world.ts");
  return demoWorld(Date.now());
}

/** The first start creates a token with all read scopes, unless API_TOKEN is set. */
async function createBootstrapToken(services: Services, config: Config): Promise<string | null> {
  if (config.apiToken !== null || (await services.tokens.list()).length > 0) return null;
  const scopes = readScopesFor(PLATFORMS.map(({ name }) => name));
  return (await services.tokens.create({ label: "first start", scopes })).token;
}
