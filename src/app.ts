/**
 * The composition root of the service: config -> house (store, access) -> surfaces. One process does it all, or a first
 * one keeps the house and workers answer (src/workers).
 */
import { createServer as createHttpServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { readScopesFor } from "#access/scopes.ts";
import { fillDemoWorld } from "#ingest/demo-world.ts";
import type { Writer } from "#store/store.ts";
import { Metrics } from "#surfaces/http/metrics.ts";
import type { RequestLog } from "#surfaces/http/request-log.ts";
import { METRICS_TYPE } from "#surfaces/http/probes.ts";
import { ImportQueue } from "#surfaces/ingest-http/import-queue.ts";
import type { Config, LogLevel } from "./config.ts";
import { type House, openHouse } from "./house.ts";
import { openLog } from "./log.ts";
import { PLATFORMS } from "./platforms.ts";

export interface Welcome {
  address: string;
  /** Made by this start and shown once; null when there was one already. */
  newToken: string | null;
  demoFilled: boolean;
}

export interface Service {
  welcome: Welcome;
  log: Logger;
  /** Of all its processes. */
  setLogLevel(level: LogLevel): void;
  stop(): Promise<void>;
}

/** A service whose server is in this process. */
export interface Running extends Service {
  server: FastifyInstance;
}

/** In as many processes as the setting says. */
export async function startService(config: Config): Promise<Service> {
  if (config.workers === 1) return start(config);
  const { startWorkers } = await import("./workers/first-process.ts");
  return startWorkers(config);
}

/** Opens the house, fills it on the first start, and listens: all of it in this process. */
export async function start(config: Config): Promise<Running> {
  const upkeep = await openUpkeep(config);
  const { house, log, queue } = upkeep;
  // In the order they are closed again: first no more requests, then no more imports, then no store.
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of opened) await end();
    await upkeep.close();
  };
  try {
    // A first process among several answers nothing and has no use for it.
    const { openAnswering } = await import("./answering.ts");
    const metrics = new Metrics();
    const answering = openAnswering(config, house, {
      logger: log,
      requestLog: upkeep.requestLog,
      queue,
      metrics,
      metricsPublic: config.metrics === "public",
    });
    opened.push(() => answering.close());
    opened.push(await openMetricsPort(config, async () => metrics.text()));
    const address = await answering.server.listen({ host: config.host, port: config.port });
    // Last, so that a start that fails has begun no import.
    await queue.resume();
    return {
      server: answering.server,
      welcome: { address, newToken: upkeep.newToken, demoFilled: upkeep.demoFilled },
      log,
      setLogLevel: (level) => void (log.level = level),
      stop: once(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is done once, however many processes answer: the store filled and kept of today, and uploads imported. */
export interface Upkeep {
  house: House;
  log: Logger;
  requestLog: RequestLog;
  queue: ImportQueue;
  newToken: string | null;
  demoFilled: boolean;
  /** Waits for the import under way. */
  close(): Promise<void>;
}

export async function openUpkeep(config: Config): Promise<Upkeep> {
  const house = await openHouse(config);
  try {
    const demoFilled = config.demo && (await fillDemoWorld(house.store, loadDemoWorld));
    const newToken = await firstToken(house, config);
    const lines = openLog(config);
    const { logger: log, requestLog } = lines;
    const queue = new ImportQueue(house.store.jobs, config.dataDir, house.importFiles, (error) =>
      log.error({ err: error }, "import failed; it is taken up again at the next start"),
    );
    const endTrends = keepTrends(house.store.writer, (error) => log.error({ err: error }, "trends are not of today"));
    return {
      house,
      log,
      requestLog,
      queue,
      newToken,
      demoFilled,
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

/** Asked again, it waits for the same end. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** The first start makes a token with all read scopes, unless the operator brings one. */
async function firstToken(house: House, config: Config): Promise<string | null> {
  if (config.apiToken !== null || (await house.tokens.list()).length > 0) return null;
  const scopes = readScopesFor(PLATFORMS.map(({ name }) => name));
  return (await house.tokens.create({ label: "first start", scopes })).token;
}

/** Off the public listener, on this machine only; what it returns closes it. Nothing where no port is set. */
export async function openMetricsPort(config: Config, text: () => Promise<string>): Promise<() => Promise<void>> {
  if (typeof config.metrics !== "number") return async () => undefined;
  const server = await serveMetrics(text, config.metrics);
  return async () => void server.close();
}

function serveMetrics(text: () => Promise<string>, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createHttpServer((request, response) => {
      const found = request.url === "/metrics";
      response.writeHead(found ? 200 : 404, { "content-type": METRICS_TYPE });
      if (!found) response.end();
      else
        text().then(
          (metrics) => response.end(metrics),
          () => response.destroy(),
        );
    });
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
