/** The thread of the live sources as the service sees it. */
import type { Config } from "#config";
import type { Source } from "#api/source.ts";
import type { PlatformName } from "#domain/record.ts";
import { type AskOutcome, type AskRequest, type LiveSources, platformOf, type SourceStatus } from "#live/live-port.ts";
import { Planner } from "#live/planner.ts";
import { SourceUnavailable } from "#live/source-unavailable.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { spawnThread } from "../rpc/thread-channel.ts";
import { WorkerEnded } from "../rpc/rpc-channel.ts";
import { fromRpcError } from "../rpc/rpc-error.ts";
import { Supervisor } from "../rpc/supervisor.ts";
import { LIVE_OWNER_METHODS, LIVE_THREAD_METHODS } from "./live-thread-methods.ts";
import { selectSources } from "./select-sources.ts";

/** A stop waits this long for requests in progress. */
const STOP_TIMEOUT_MS = 2_000;
/** Parsing an answer takes less, and so does waiting for the lock of the store's file. */
const MAX_SILENT_S = 60;

export interface LiveThread extends LiveSources {
  close(): Promise<void>;
}

/** Null if no source is on. Throws if the settings name one that cannot be. */
export function openLiveThread(config: Config, onError: (error: Error) => void): LiveThread | null {
  const sources = selectSources(config);
  return sources.length === 0 ? null : new SupervisedLiveThread(config, sources, onError);
}

/** The first source that fills the operation, on any platform unless one is given. */
export function sourceOf(sources: readonly Source[], operation: string, platform?: PlatformName): string | null {
  const isSource = (source: Source) =>
    Object.hasOwn(source.fills, operation) && (platform === undefined || source.platform === platform);
  return sources.find(isSource)?.name ?? null;
}

class SupervisedLiveThread implements LiveThread {
  readonly #sources: readonly Source[];
  readonly #planner: Planner;
  readonly #thread: Supervisor<typeof LIVE_THREAD_METHODS, typeof LIVE_OWNER_METHODS>;
  #status: readonly SourceStatus[] = [];

  constructor(config: Config, sources: readonly Source[], onError: (error: Error) => void) {
    this.#sources = sources;
    this.#planner = new Planner({
      operations: OPERATIONS,
      credentials: config.live.credentials,
      defaults: config.defaults,
    });
    this.#thread = new Supervisor({
      name: "thread of the live sources",
      spawn: () =>
        spawnThread(new URL("./live-main.ts", import.meta.url), {
          resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
        }),
      start: (channel) => channel.call("start", config),
      remote: LIVE_THREAD_METHODS,
      local: LIVE_OWNER_METHODS,
      handlers: {
        status: (status) => void (this.#status = status),
        failed: (failure) => onError(fromRpcError(failure)),
      },
      maxSilentS: MAX_SILENT_S,
      isKept: true,
      onEnd: ({ error, code }) =>
        onError(error instanceof Error ? error : new Error(`the thread exited with code ${code}`)),
    });
    // A thread that fails to start is started again.
    this.#thread.start().catch(() => undefined);
  }

  sourceOf(operation: string, platform?: PlatformName): string | null {
    return sourceOf(this.#sources, operation, platform);
  }

  status(): readonly SourceStatus[] {
    return this.#status;
  }

  async ask(request: AskRequest): Promise<AskOutcome> {
    const paused = this.#outcomeWhilePaused(request);
    if (paused !== null) return paused;
    // A request does not wait until another thread is started.
    if (this.#thread.channel === null) return this.#unavailable(request);
    try {
      return await this.#thread.call("ask", request);
    } catch (error) {
      if (error instanceof WorkerEnded) return this.#unavailable(request);
      throw error;
    }
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

  async close(): Promise<void> {
    await this.#thread.close(STOP_TIMEOUT_MS);
  }
}
