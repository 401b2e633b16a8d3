/**
 * The thread of the live sources: requests, parses and imports, so that the server waits for neither a slow source, a
 * large answer nor the disk.
 */
import { setPriority } from "node:os";
import { present } from "#domain/present.ts";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { importDocument } from "#import/import-document.ts";
import { loadImportPlatforms } from "#import/read-document.ts";
import { LiveEngine } from "#live/live-engine.ts";
import type { AskOutcome } from "#live/live-port.ts";
import type { Answer } from "#live/source-client.ts";
import { PROJECTIONS } from "#platforms/records.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { createRenderingEncoder, rowEncoder } from "#store/write/row-encoder.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { openStore } from "../open-store.ts";
import { answerOwner } from "../rpc/answer-owner.ts";
import { toRpcError } from "../rpc/rpc-error.ts";
import { LIVE_OWNER_METHODS, LIVE_THREAD_METHODS } from "./live-thread-methods.ts";
import { selectSources } from "./select-sources.ts";

/** How often the state is reported: quickly after a change, and also without one, since other nodes spend quota too. */
const STATUS_DELAY_MS = 200;
const STATUS_EVERY_MS = 15_000;
/** Longer than any budget's window and any maximum age that makes sense. */
const KEEP_LEDGER_MS = 60 * DAY_MS;

/** A third of the share of a thread that serves requests, where both want the processor: enough not to miss deadlines. */
const NICENESS = 5;

// A flood of answers must not take the processor from requests. Elsewhere the priority would be that of the whole process.
if (process.platform === "linux") setPriority(NICENESS);

let store: Store;
let engine: LiveEngine;
const timers: NodeJS.Timeout[] = [];
let statusTimer: NodeJS.Timeout | null = null;

const owner = answerOwner(
  LIVE_THREAD_METHODS,
  {
    async start(config) {
      store = await openStore(config, "small");
      engine = await createEngine(config);
      const prune = () => store.sources.prune(Date.now() - KEEP_LEDGER_MS).catch(onError);
      timers.push(
        setInterval(() => void refreshAged(), HOUR_MS),
        setInterval(() => void prune(), DAY_MS),
        setInterval(reportStatusSoon, STATUS_EVERY_MS),
      );
      reportStatusSoon();
      await prune();
      void refreshAged();
      return null;
    },
    async ask(request): Promise<AskOutcome> {
      try {
        return await engine.ask(request);
      } catch (error) {
        onError(error);
        return { state: "none" };
      } finally {
        reportStatusSoon();
      }
    },
  },
  LIVE_OWNER_METHODS,
  async () => {
    for (const timer of timers) clearInterval(timer);
    if (statusTimer !== null) clearTimeout(statusTimer);
    engine.close();
    await store.close();
  },
);

function onError(error: unknown): void {
  owner.notify("failed", toRpcError(error));
}

async function createEngine(config: Config): Promise<LiveEngine> {
  const platforms = new Map((await loadImportPlatforms(PLATFORMS)).map((platform) => [platform.name, platform]));
  const encoder = config.store === null ? createRenderingEncoder(PROJECTIONS) : rowEncoder;
  let documents = 0;
  /** SQLite has one connection that writes: imports follow each other. */
  let lastImport: Promise<void> = Promise.resolve();

  function importAnswer({ source, request, value, url, capturedAt }: Answer): Promise<void> {
    const platform = present(platforms.get(source.platform));
    const kind = request.isText === true ? "text" : "json";
    const document = { kind, value, index: documents++, capturedAt, origin: { url } } as const;
    const imported = lastImport.then(() =>
      importDocument(store, { document, platform, source: source.name, subject: request.subject ?? null, encoder }),
    );
    lastImport = imported.catch(() => undefined);
    return imported;
  }

  const { dial, callTimeoutMs } = config.live;
  return new LiveEngine({
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
}

function reportStatusSoon(): void {
  statusTimer ??= setTimeout(() => {
    statusTimer = null;
    engine.status().then((status) => owner.notify("status", status), onError);
  }, STATUS_DELAY_MS);
}

let refreshing: Promise<void> | null = null;
function refreshAged(): Promise<void> {
  return (refreshing ??= engine
    .refreshAged()
    .then(() => undefined, onError)
    .finally(() => (refreshing = null)));
}
