/** The work of a service that is done once, however many processes serve: demo data, the first token, imports, trends. */
import type { Logger } from "pino";
import { readScopesFor } from "#auth/scopes.ts";
import { seedDemoData } from "#import/demo-data.ts";
import type { Writer } from "#store/store.ts";
import { ImportQueue } from "#http/uploads/import-queue.ts";
import type { Config } from "#config";
import { type Services, openServices } from "./services.ts";
import { openLog } from "./logging.ts";
import { PLATFORMS } from "#platforms/registry.ts";

export interface BackgroundTasks {
  services: Services;
  log: Logger;
  queue: ImportQueue;
  bootstrapToken: string | null;
  demoSeeded: boolean;
  /** Waits for the import under way. */
  close(): Promise<void>;
}

export async function startBackgroundTasks(config: Config): Promise<BackgroundTasks> {
  const house = await openServices(config);
  try {
    const demoFilled = config.demo && (await seedDemoData(house.store, loadDemoWorld));
    const newToken = await createBootstrapToken(house, config);
    const lines = openLog(config);
    const { logger: log } = lines;
    const queue = new ImportQueue(house.store.jobs, config.dataDir, house.importFiles, (error) =>
      log.error({ err: error }, "import failed; it is taken up again at the next start"),
    );
    const endTrends = scheduleTrendRollover(house.store.writer, (error) =>
      log.error({ err: error }, "trends are not of today"),
    );
    return {
      services: house,
      log,
      queue,
      bootstrapToken: newToken,
      demoSeeded: demoFilled,
      async close() {
        await endTrends();
        await queue.close();
        await house.close();
        lines.close();
      },
    };
  } catch (error) {
    await house.close();
    throw error;
  }
}

/** Loaded on a first start only. */
async function loadDemoWorld() {
  const { demoWorld } = await import("#demo/world.ts");
  return demoWorld(Date.now());
}

const TRENDS_EVERY_MS = 600_000;

/** Days change while nobody writes: then the rankings have to be told. What it returns ends it. */
function scheduleTrendRollover(writer: Writer, failed: (error: unknown) => void): () => Promise<void> {
  let ended = false;
  const roll = () => writer.rollOverTrends().catch((error: unknown) => ended || failed(error));
  const timer = setInterval(() => void roll(), TRENDS_EVERY_MS);
  timer.unref();
  return async () => {
    // A step that finds the store closed is taken at the next start.
    ended = true;
    clearInterval(timer);
  };
}

/** The first start makes a token with all read scopes, unless the operator brings one. */
async function createBootstrapToken(house: Services, config: Config): Promise<string | null> {
  if (config.apiToken !== null || (await house.tokens.list()).length > 0) return null;
  const scopes = readScopesFor(PLATFORMS.map(({ name }) => name));
  return (await house.tokens.create({ label: "first start", scopes })).token;
}
