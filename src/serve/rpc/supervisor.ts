/**
 * Starts a thread or a process, calls it, and starts another one when it ended or stopped responding. All threads and
 * worker processes of a service have one.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "#domain/backoff.ts";
import type { Exit, Spawned } from "./thread-channel.ts";
import { type Handlers, type MethodTable, RpcChannel, WorkerEnded, endedBy } from "./rpc-channel.ts";

export interface SupervisorOptions<Remote extends MethodTable, Local extends MethodTable> {
  /** For messages, such as "store thread". */
  name: string;
  spawn: () => Spawned;
  remote: Remote;
  local: Local;
  handlers: Handlers<Local>;
  /** Makes it ready for calls, which wait for that. If this fails, it is ended. */
  start?: (channel: RpcChannel<Remote, Local>) => Promise<unknown>;
  /** Seconds without a response after which it is stuck and is replaced. Without it, it may be busy for any time. */
  maxSilentS?: number;
  /** Counts those that are stuck, together with others. */
  stuck?: StuckCount;
  /** Starts another one as soon as one ended. Otherwise the next call does, and this process waits only for calls. */
  isKept?: boolean;
  /** Time without calls after which the thread is ended. */
  idleMs?: number;
  /** Called when one ended by itself, could not start, or was stuck. */
  onEnd?: (end: End) => void;
  /** A message that breaks the protocol; without this, it is ended. */
  onProtocolError?: (error: Error) => void;
}

/** Threads that are stuck inside a SQLite query take a core each until the query ends, so no more than `max` are replaced. */
export class StuckCount {
  readonly #max: number;
  #count = 0;

  constructor(max = 4) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#count >= this.#max;
  }

  add(by: 1 | -1): void {
    this.#count += by;
  }
}

export interface End extends Exit {
  /** 0 if none could be made. */
  id: number;
  /** Delay before another one is started. */
  backoffMs: number;
}

/** A thread that ends before it is ready, or this soon after, is crash-looping: back off. */
const CRASH_LOOP_MS = 5_000;
const BACKOFF: Backoff = { firstMs: 100, maxMs: 10_000, jitter: 0 };

const HEARTBEAT_MS = 1_000;
/** A start that loads code and opens the store takes long on a busy machine. */
const MAX_SILENT_AT_START_S = 120;

interface Running<Remote extends MethodTable, Local extends MethodTable> {
  spawned: Spawned;
  channel: RpcChannel<Remote, Local>;
  /** Null until it is ready. However long a start takes on a busy machine, one that fails is no sign of health. */
  readyAt: number | null;
  /** Seconds since the heartbeat that it has not responded to; null if it responded to all. */
  silentS: number | null;
  /** The reason why it was ended: it could not start or broke the protocol. */
  error?: unknown;
  /** Exited or given up. */
  ended: PromiseWithResolvers<void>;
}

export class Supervisor<Remote extends MethodTable, Local extends MethodTable> {
  readonly #options: SupervisorOptions<Remote, Local>;
  #running: Running<Remote, Local> | null = null;
  #ready: Promise<Running<Remote, Local>> | null = null;
  /** Failed or idle, and not exited yet. */
  readonly #leaving = new Set<Running<Remote, Local>>();
  readonly #stuckCount: StuckCount;
  #stuck = 0;
  readonly #closing = new AbortController();
  #calls = 0;
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #lastBeatAt = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed: Error | null = null;

  constructor(options: SupervisorOptions<Remote, Local>) {
    this.#options = options;
    this.#stuckCount = options.stuck ?? new StuckCount();
  }

  /** Null while none runs. */
  get id(): number | null {
    return this.#running?.spawned.id ?? null;
  }

  /** Null while none runs; one that runs may not be ready. */
  get channel(): RpcChannel<Remote, Local> | null {
    return this.#running?.channel ?? null;
  }

  get isReady(): boolean {
    return this.#running !== null && this.#running.readyAt !== null;
  }

  /** Whether it has no call to respond to. */
  get isIdle(): boolean {
    return this.#calls === 0;
  }

  get isStuck(): boolean {
    return this.#stuck > 0;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    await this.#getReady();
  }

  /** Starts it first where needed. */
  call: RpcChannel<Remote, Local>["call"] = async (method, params, onProgress) => {
    if (this.#closed !== null) throw this.#closed;
    this.#calls++;
    if (this.#options.idleMs !== undefined) clearTimeout(this.#timer);
    try {
      const { spawned, channel } = await this.#getReady();
      if (this.#options.isKept !== true) spawned.setRef(true);
      return await channel.call(method, params, onProgress);
    } finally {
      this.#calls--;
      if (this.#calls === 0) this.#becomeIdle();
    }
  };

  /** Asks it to finish its calls and to end, waits for that, and ends it if it takes longer. No other one is started. */
  async close(graceMs?: number): Promise<void> {
    // A call that waits for the start is sent before.
    if (this.#calls > 0 && this.#running !== null) await this.#ready?.catch(() => undefined);
    const running = this.#running;
    if (running?.readyAt === null) return this.kill();
    this.#end();
    if (running !== null) {
      running.channel.stop();
      if (graceMs !== undefined) {
        await Promise.race([running.ended.promise, delay(graceMs, null, { ref: false })]);
        running.spawned.kill();
      }
    }
    await this.#allEnded();
  }

  /** Ends it at once, and its calls with an error. */
  async kill(error: Error = new WorkerEnded(`the ${this.#options.name} was stopped`)): Promise<void> {
    this.#end();
    this.#closed = error;
    this.#running?.channel.close(error);
    this.#running?.spawned.kill();
    await this.#allEnded();
  }

  #end(): void {
    this.#closed ??= new WorkerEnded(`the ${this.#options.name} was stopped`);
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  async #allEnded(): Promise<void> {
    const ending = [...this.#leaving, ...(this.#running ? [this.#running] : [])];
    for (const { spawned } of ending) spawned.setRef(true);
    await Promise.all(ending.map(({ ended }) => ended.promise));
  }

  #getReady(): Promise<Running<Remote, Local>> {
    if (this.#ready === null) {
      const starting = (this.#ready = this.#start());
      starting.catch(() => {
        if (this.#ready === starting && this.#running === null) this.#ready = null;
      });
    }
    return this.#ready;
  }

  async #start(): Promise<Running<Remote, Local>> {
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) await delay(waitMs, null, this.#closing).catch(() => undefined);
    if (this.#closed !== null) throw this.#closed;
    const { name, start } = this.#options;
    if (this.#stuckCount.isFull) throw new WorkerEnded(`the ${name} is stuck`);
    let running: Running<Remote, Local>;
    try {
      running = this.#spawn();
    } catch (error) {
      this.#planNext({ id: 0, code: null, signal: null, error }, null);
      throw error;
    }
    try {
      await start?.(running.channel);
    } catch (error) {
      running.error ??= error;
      running.spawned.kill();
      throw error;
    }
    running.readyAt = performance.now();
    running.silentS = null;
    return running;
  }

  #spawn(): Running<Remote, Local> {
    const { spawn, remote, local, handlers, start, onProtocolError } = this.#options;
    const spawned = spawn();
    const onError = (error: Error) => {
      running.error ??= error;
      spawned.kill();
    };
    const running: Running<Remote, Local> = {
      spawned,
      channel: new RpcChannel(spawned.channel, { remote, local, handlers, onError: onProtocolError ?? onError }),
      readyAt: start === undefined ? performance.now() : null,
      silentS: null,
      ended: Promise.withResolvers(),
    };
    this.#running = running;
    if (this.#calls === 0 && this.#options.isKept !== true) spawned.setRef(false);
    this.#lastBeatAt = performance.now();
    if (this.#options.maxSilentS !== undefined)
      this.#heartbeat = setInterval(() => this.#beat(running), HEARTBEAT_MS).unref();
    // Calls after an error, before the exit that follows, are for another one.
    spawned.onFailure((error) => {
      this.#leaving.add(running);
      this.#onEnd(running, { code: null, signal: null, error });
    });
    void spawned.exited.then((exit) => this.#onExit(running, exit));
    return running;
  }

  /** A beat that is late tells nothing: this process was paused, and responses are still unread. */
  #beat(running: Running<Remote, Local>): void {
    const now = performance.now();
    const isOnTime = now - this.#lastBeatAt < 2 * HEARTBEAT_MS;
    this.#lastBeatAt = now;
    if (running.silentS === null) {
      running.silentS = 0;
      // A thread that cannot be asked is exiting; if it does not exit, its next heartbeats are missed.
      running.channel.heartbeat().then(
        () => (running.silentS = null),
        () => undefined,
      );
    } else if (isOnTime) running.silentS++;
    const maxSilentS = running.readyAt === null ? MAX_SILENT_AT_START_S : (this.#options.maxSilentS ?? Infinity);
    if (running.silentS >= maxSilentS) this.#giveUp(running);
  }

  #giveUp(running: Running<Remote, Local>): void {
    this.#stuck++;
    this.#stuckCount.add(1);
    void running.spawned.exited.then(() => {
      this.#stuck--;
      this.#stuckCount.add(-1);
      if (this.#options.isKept === true) void this.#getReady().catch(() => undefined);
    });
    running.spawned.setRef(false);
    running.spawned.kill();
    const error = new WorkerEnded(`no response for ${running.silentS} s; killed`);
    this.#onEnd(running, { code: null, signal: null, error });
    running.ended.resolve();
  }

  #onExit(running: Running<Remote, Local>, { error, ...exit }: Exit): void {
    this.#leaving.delete(running);
    this.#onEnd(running, { ...exit, error: running.error ?? error });
    running.ended.resolve();
  }

  #onEnd(running: Running<Remote, Local>, exit: Exit): void {
    const { code, signal, error } = exit;
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
    running.channel.close(endedBy(error, `the ${this.#options.name} ${how}`));
    if (this.#running !== running) return;
    clearInterval(this.#heartbeat);
    this.#running = null;
    this.#ready = null;
    if (this.#closed !== null) return;
    this.#planNext({ ...exit, id: running.spawned.id }, running.readyAt);
  }

  #planNext(end: Omit<End, "backoffMs">, readyAt: number | null): void {
    const waitMs = this.#backOff(readyAt);
    this.#notBefore = performance.now() + waitMs;
    this.#options.onEnd?.({ ...end, backoffMs: waitMs });
    if (this.#options.isKept !== true) return;
    this.#timer = setTimeout(() => void this.#getReady().catch(() => undefined), waitMs);
    this.#timer.unref();
  }

  #backOff(readyAt: number | null): number {
    const isLooping = readyAt === null || performance.now() - readyAt < CRASH_LOOP_MS;
    this.#failures = isLooping ? this.#failures + 1 : 0;
    return isLooping ? backoffMs(this.#failures, BACKOFF) : 0;
  }

  #becomeIdle(): void {
    const { idleMs, isKept } = this.#options;
    // A close waits for its end too.
    if (this.#closed !== null) return;
    if (isKept !== true) this.#running?.spawned.setRef(false);
    if (idleMs === undefined) return;
    this.#timer = setTimeout(() => {
      const running = this.#running;
      if (running === null) return;
      // Calls from now on start another one.
      this.#running = this.#ready = null;
      clearInterval(this.#heartbeat);
      this.#leaving.add(running);
      running.channel.stop();
    }, idleMs);
    this.#timer.unref();
  }
}
