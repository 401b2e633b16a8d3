/**
 * The composition root of the service: config -> house (store, access) -> surfaces.
 */
import { createServer as createHttpServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { RateLimits } from "#access/limits.ts";
import { readScopesFor } from "#access/scopes.ts";
import { fillDemoWorld } from "#ingest/demo-world.ts";
import type { Writer } from "#store/store.ts";
import { Metrics } from "#surfaces/http/metrics.ts";
import { METRICS_TYPE } from "#surfaces/http/probes.ts";
import { createServer } from "#surfaces/http/server.ts";
import { ImportQueue } from "#surfaces/ingest-http/import-queue.ts";
import type { Config } from "./config.ts";
import { type House, openHouse } from "./house.ts";
import { PLATFORMS } from "./platforms.ts";

export interface Welcome {
  address: string;
  /** Made by this start and shown once; null when there was one already. */
  newToken: string | null;
  demoFilled: boolean;
}

export interface Running {
  server: FastifyInstance;
  welcome: Welcome;
  stop(): Promise<void>;
}

/** Opens the house, fills it on the first start, and listens. */
export async function start(config: Config): Promise<Running> {
  const house = await openHouse(config);
  // In the order they are closed again: first no more requests, then no more imports, then no store.
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of opened) await end();
    await house.close();
  };
  try {
    const demoFilled = config.demo && (await fillDemoWorld(house.store, loadDemoWorld));
    const newToken = await firstToken(house, config);
    const metrics = new Metrics();
    const logger = pino(
      { level: config.logLevel, base: null },
      pino.destination({ dest: config.logFile ?? 1, sync: false, mkdir: true }),
    );
    const queue = new ImportQueue(house.store.jobs, config.dataDir, house.importFiles, (error) =>
      logger.error({ err: error }, "import failed; it is taken up again at the next start"),
    );
    opened.push(keepTrends(house.store.writer, (error) => logger.error({ err: error }, "trends are not of today")));
    const limits = new RateLimits(config.limits, house.store.leases);
    const server = createServer({
      operations: house.operations,
      store: house.store,
      tokens: house.tokens,
      limits,
      cursorKey: house.secrets.cursors,
      defaults: config.defaults,
      patienceMs: config.store === null ? null : ANSWER_WITHIN_MS,
      logger,
      metrics,
      metricsPublic: config.metrics === "public",
      ingest: { tokens: house.tokens, jobs: house.store.jobs, queue, maxBytes: config.ingestMaxBytes },
      corsOrigins: config.corsOrigins,
      ping: () => house.store.ping(),
    });
    opened.push(() => server.close(), keepSettling(limits), house.tokens.follow(house.store.events));
    const metricsServer = typeof config.metrics === "number" ? await serveMetrics(metrics, config.metrics) : null;
    opened.push(async () => void metricsServer?.close());
    const address = await server.listen({ host: config.host, port: config.port });
    // Last, so that a start that fails has begun no import.
    await queue.resume();
    opened.push(() => queue.close());
    return {
      server,
      welcome: { address, newToken, demoFilled },
      stop: once(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loaded on a first start only. */
async function loadDemoWorld() {
  const { demoWorld } = await import("#demo/world.ts");
  return demoWorld(Date.now());
}

/** With a store over the network, at worst a 503 comes within two seconds. */
const ANSWER_WITHIN_MS = 1_900;

const TRENDS_EVERY_MS = 600_000;

/** Days change while nobody writes: then the rankings have to be told. What it returns ends it. */
function keepTrends(writer: Writer, failed: (error: unknown) => void): () => Promise<void> {
  let ended = false;
  const roll = () => writer.rollTrends().catch((error: unknown) => ended || failed(error));
  const timer = setInterval(() => void roll(), TRENDS_EVERY_MS);
  timer.unref();
  return async () => {
    // A step that finds the store closed is taken at the next start.
    ended = true;
    clearInterval(timer);
  };
}

const SETTLE_EVERY_MS = 500;

/** Shares of limits that are not used go back to the store. What it returns ends it, with all of them given back. */
function keepSettling(limits: RateLimits): () => Promise<void> {
  const timer = setInterval(() => limits.settle(Date.now()), SETTLE_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await limits.close(Date.now());
  };
}

/** Asked again, it waits for the same end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** The first start makes a token with all read scopes, unless the operator brings one. */
async function firstToken(house: House, config: Config): Promise<string | null> {
  if (config.apiToken !== null || (await house.tokens.list()).length > 0) return null;
  const scopes = readScopesFor(PLATFORMS.map(({ name }) => name));
  return (await house.tokens.create({ label: "first start", scopes })).token;
}

/** Off the public listener: on this machine only. */
function serveMetrics(metrics: Metrics, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createHttpServer((request, response) => {
      const found = request.url === "/metrics";
      response.writeHead(found ? 200 : 404, { "content-type": METRICS_TYPE }).end(found ? metrics.text() : "");
    });
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
