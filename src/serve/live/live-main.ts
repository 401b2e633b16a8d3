/**
 * The thread of the live sources: requests, parses and imports, so that the server waits for neither a slow source, a
 * large answer nor the disk.
 */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { importDocument } from "#import/import-document.ts";
import { type ImportPlatform, loadImportPlatforms } from "#import/read-document.ts";
import { LiveEngine } from "#live/live-engine.ts";
import type { Answer } from "#live/source-client.ts";
import { PROJECTIONS } from "#platforms/records.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { createRenderingEncoder, rowEncoder } from "#store/write/row-encoder.ts";
import { openStore } from "../open-store.ts";
import { checkLiveThreadData, checkToLiveThread, type FromLiveThread, type ToLiveThread } from "./live-messages.ts";
import { selectSources } from "./select-sources.ts";

/** How often the state is reported: quickly after a change, and also without one, since other nodes spend quota too. */
const STATUS_DELAY_MS = 200;
const STATUS_EVERY_MS = 15_000;
/** Longer than any budget's window and any maximum age that makes sense. */
const KEEP_LEDGER_MS = 60 * DAY_MS;

/** A third of the share of a thread that serves requests, where both want the processor: enough not to miss deadlines. */
const NICENESS = 5;

const { config } = checkLiveThreadData(workerData);
// A flood of answers must not take the processor from requests. Elsewhere the priority would be that of the whole process.
if (process.platform === "linux") setPriority(NICENESS);
const send = (message: FromLiveThread) => parentPort?.postMessage(message);
const onError = (error: unknown) => {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  send({ kind: "failed", message, stack });
};

const store = await openStore(config, "small");
const platforms = new Map((await loadImportPlatforms(PLATFORMS)).map((platform) => [platform.name, platform]));
const encoder = config.store === null ? createRenderingEncoder(PROJECTIONS) : rowEncoder;

let documents = 0;
/** SQLite has one connection that writes: imports follow each other. */
let lastImport: Promise<void> = Promise.resolve();

function importAnswer({ source, request, value, url, capturedAt }: Answer): Promise<void> {
  const platform = platforms.get(source.platform) as ImportPlatform;
  const kind = request.isText === true ? "text" : "json";
  const document = { kind, value, index: documents++, capturedAt, origin: { url } } as const;
  const imported = lastImport.then(() =>
    importDocument(store, { document, platform, source: source.name, subject: request.subject ?? null, encoder }),
  );
  lastImport = imported.catch(() => undefined);
  return imported;
}

const { dial, callTimeoutMs } = config.live;
const engine = new LiveEngine({
  sources: selectSources(config),
  operations: OPERATIONS,
  credentials: config.live.credentials,
  limits: config.live.limits,
  maxAgeMs: config.live.maxAgeMs,
  defaults: config.defaults,
  ledger: store.sources,
  importAnswer,
  onError,
  ...(dial && { dial: () => dial }),
  ...(callTimeoutMs !== undefined && { callTimeoutMs }),
});

let statusTimer: NodeJS.Timeout | null = null;
function reportStatusSoon(): void {
  statusTimer ??= setTimeout(() => {
    statusTimer = null;
    engine.status().then((status) => send({ kind: "status", status }), onError);
  }, STATUS_DELAY_MS);
}

const asking = new Set<Promise<void>>();

async function answer({ id, request }: Extract<ToLiveThread, { kind: "ask" }>): Promise<void> {
  try {
    send({ kind: "outcome", id, outcome: await engine.ask(request) });
  } catch (error) {
    onError(error);
    send({ kind: "outcome", id, outcome: { state: "none" } });
  }
  reportStatusSoon();
}

async function stop(): Promise<void> {
  clearInterval(statusInterval);
  if (statusTimer !== null) clearTimeout(statusTimer);
  await Promise.allSettled(asking);
  engine.close();
  await store.close();
  parentPort?.close();
}

parentPort?.on("message", (data: unknown) => {
  const message = checkToLiveThread(data);
  if (message.kind === "stop") void stop().catch(onError);
  else {
    const answering = answer(message).finally(() => asking.delete(answering));
    asking.add(answering);
  }
});

let refreshing: Promise<void> | null = null;
const refreshAged = () =>
  (refreshing ??= engine
    .refreshAged()
    .then(() => undefined, onError)
    .finally(() => (refreshing = null)));
setInterval(() => void refreshAged(), HOUR_MS).unref();
const prune = () => store.sources.prune(Date.now() - KEEP_LEDGER_MS).catch(onError);
setInterval(() => void prune(), DAY_MS).unref();
const statusInterval = setInterval(reportStatusSoon, STATUS_EVERY_MS);
statusInterval.unref();
reportStatusSoon();
await prune();
void refreshAged();
