/** Starts the thread of the live sources when it is first needed, and again after it died. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Config } from "#config";
import type { Source } from "#api/source.ts";
import type { PlatformName } from "#domain/record.ts";
import { type AskOutcome, type AskRequest, type LiveSources, platformOf, type SourceStatus } from "#live/live-port.ts";
import { Planner } from "#live/planner.ts";
import { SourceUnavailable } from "#live/source-unavailable.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { checkFromLiveThread, type FromLiveThread, type LiveThreadData, type ToLiveThread } from "./live-messages.ts";
import { selectSources } from "./select-sources.ts";

/** A stop waits this long for requests in progress. */
const STOP_TIMEOUT_MS = 2_000;
const RESTART_DELAY_MS = 1_000;

export interface LiveThread extends LiveSources {
  close(): Promise<void>;
}

/** Null if no source is on. Throws if the settings name one that cannot be. */
export function openLiveThread(config: Config, onError: (error: Error) => void): LiveThread | null {
  const sources = selectSources(config);
  return sources.length === 0 ? null : new WorkerLiveThread(config, sources, onError);
}

/** The first source that fills the operation, on any platform unless one is given. */
export function sourceOf(sources: readonly Source[], operation: string, platform?: PlatformName): string | null {
  const isSource = (source: Source) =>
    Object.hasOwn(source.fills, operation) && (platform === undefined || source.platform === platform);
  return sources.find(isSource)?.name ?? null;
}

class WorkerLiveThread implements LiveThread {
  readonly #config: Config;
  readonly #sources: readonly Source[];
  readonly #onError: (error: Error) => void;
  readonly #planner: Planner;
  readonly #waiting = new Map<number, { request: AskRequest; resolve: (outcome: AskOutcome) => void }>();
  #worker: Worker | null = null;
  #endedAt = Number.NEGATIVE_INFINITY;
  #lastId = 0;
  #status: readonly SourceStatus[] = [];
  #isClosing = false;

  constructor(config: Config, sources: readonly Source[], onError: (error: Error) => void) {
    this.#config = config;
    this.#sources = sources;
    this.#onError = onError;
    this.#planner = new Planner({
      operations: OPERATIONS,
      credentials: config.live.credentials,
      defaults: config.defaults,
    });
    this.#start();
  }

  sourceOf(operation: string, platform?: PlatformName): string | null {
    return sourceOf(this.#sources, operation, platform);
  }

  status(): readonly SourceStatus[] {
    return this.#status;
  }

  ask(request: AskRequest): Promise<AskOutcome> {
    const paused = this.#outcomeWhilePaused(request);
    if (paused !== null) return Promise.resolve(paused);
    if (this.#worker === null && performance.now() - this.#endedAt > RESTART_DELAY_MS) this.#start();
    const worker = this.#worker;
    if (worker === null || this.#isClosing) return Promise.resolve(this.#unavailable(request));
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, { request, resolve });
      worker.postMessage({ kind: "ask", id, request } satisfies ToLiveThread);
    });
  }

  /**
   * The outcome if every source that could fill the request is known to be paused: a source that is down must not cost each
   * such request a message to the other thread, which takes processor time from those that the store answers.
   */
  #outcomeWhilePaused(request: AskRequest): AskOutcome | null {
    const now = Date.now();
    const isPaused = ({ pausedUntil }: SourceStatus) => (pausedUntil ?? 0) > now;
    const paused = new Map(this.#status.filter(isPaused).map((status) => [status.name, status]));
    if (paused.size === 0) return null;
    let last: AskOutcome | null = null;
    for (const source of this.#sources) {
      if (this.#planner.createPlan(source, request) === null) continue;
      const status = paused.get(source.name);
      if (status === undefined) return null;
      const pause = { reason: status.detail ?? "", retryAfterMs: (status.pausedUntil ?? now) - now };
      last = SourceUnavailable.paused(pause).toOutcome(source.name);
    }
    return last;
  }

  #unavailable({ operation, input }: AskRequest): AskOutcome {
    const source = this.sourceOf(operation, platformOf(input));
    if (source === null) return { state: "none" };
    return new SourceUnavailable("is restarting", 1_000).toOutcome(source);
  }

  #start(): void {
    const workerData: LiveThreadData = { kind: "live", config: this.#config };
    const worker = new Worker(new URL("./live-main.ts", import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
    });
    worker.on("message", (data: unknown) => this.#onMessage(checkFromLiveThread(data)));
    worker.on("error", this.#onError);
    worker.on("exit", () => this.#onExit(worker));
    this.#worker = worker;
  }

  #onMessage(message: FromLiveThread): void {
    if (message.kind === "outcome") {
      this.#waiting.get(message.id)?.resolve(message.outcome);
      this.#waiting.delete(message.id);
    } else if (message.kind === "status") this.#status = message.status;
    else this.#onError(Object.assign(new Error(message.message), { stack: message.stack }));
  }

  #onExit(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#endedAt = performance.now();
    for (const { request, resolve } of this.#waiting.values()) resolve(this.#unavailable(request));
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const worker = this.#worker;
    if (worker === null) return;
    const exited = once(worker, "exit");
    worker.postMessage({ kind: "stop" } satisfies ToLiveThread);
    await Promise.race([exited, delay(STOP_TIMEOUT_MS, null, { ref: false })]);
    await worker.terminate();
  }
}
