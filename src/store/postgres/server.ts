/**
 * One database server with its health. It is checked every 300 ms, and immediately when a query is slow or a connection is
 * lost; while it is down, pending and new queries fail immediately.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "#domain/with-timeout.ts";
import { classify, ConnectionError, isReadOnly, toStoreError } from "./connection-errors.ts";
import type { Database } from "./database.ts";
import type { Probe, ServerStatus } from "./probe.ts";
import type { WalLagTracker } from "./replication-lag.ts";

const CHECK_INTERVAL_MS = 300;

/** A query that takes longer triggers a health check. */
const RECHECK_AFTER_MS = 200;

/** Milliseconds of this process. */
export interface MonotonicClock {
  now(): number;
}

export interface ServerOptions {
  role: "primary" | "replica";
  db: Database;
  probe: Probe;
  lagTracker: WalLagTracker;
  clock: MonotonicClock;
  /** Other pools to the same server with short statements: disconnected and closed together with `db`. */
  otherPools?: readonly Database[];
}

export class Server {
  readonly db: Database;
  readonly #role: ServerOptions["role"];
  readonly #probe: Probe;
  readonly #lagTracker: WalLagTracker;
  readonly #clock: MonotonicClock;
  readonly #pools: readonly Database[];
  /** Reject functions of pending queries. */
  readonly #pending = new Set<(error: Error) => void>();
  #isHealthy: boolean;
  #position = -1;
  #isClosed = false;
  /** Undefined while a check runs. */
  #timer: NodeJS.Timeout | undefined;
  #checks = 0;
  #lastCheck: Promise<boolean> = Promise.resolve(false);

  constructor({ role, db, probe, lagTracker, clock, otherPools = [] }: ServerOptions) {
    this.db = db;
    this.#role = role;
    this.#probe = probe;
    this.#lagTracker = lagTracker;
    this.#clock = clock;
    this.#pools = [db, ...otherPools];
    // The primary was migrated just before; a replica must pass its first check.
    this.#isHealthy = role === "primary";
    this.#scheduleCheck();
  }

  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Write-ahead log position at the last check. */
  get position(): number {
    return this.#position;
  }

  /** Whether the current or the most recent check found the server healthy. */
  get lastCheck(): Promise<boolean> {
    return this.#lastCheck;
  }

  /** Rejects on timeout, or as soon as the server is found to be down. */
  async query<Result>(run: () => Promise<Result>, timeoutMs: number): Promise<Result> {
    if (!this.#isHealthy) throw new ConnectionError("unavailable", "the server is down");
    const { promise: down, reject } = Promise.withResolvers<never>();
    this.#pending.add(reject);
    const recheck = setTimeout(() => this.#recheck(), RECHECK_AFTER_MS);
    try {
      return await withTimeout(
        timeoutMs,
        Promise.race([run(), down]),
        () => new ConnectionError("timeout", `no response within ${timeoutMs} ms`),
      );
    } catch (error) {
      // A query that is no longer pending failed because the server was marked down.
      if (this.#pending.has(reject)) this.#onFailure(error);
      throw error;
    } finally {
      clearTimeout(recheck);
      this.#pending.delete(reject);
    }
  }

  /** Waits up to `waitMs` for the server to be healthy, then runs the work without a timeout. */
  async run<Result>(work: () => Promise<Result>, waitMs = 0): Promise<Result> {
    const deadline = performance.now() + waitMs;
    while (!this.#isHealthy && performance.now() < deadline) await sleep(CHECK_INTERVAL_MS);
    if (!this.#isHealthy) throw toStoreError(new ConnectionError("unavailable", "the server is down"));
    try {
      return await work();
    } catch (error) {
      if (this.#isHealthy) this.#onFailure(error);
      throw toStoreError(error);
    }
  }

  #onFailure(error: unknown): void {
    // Either it is a standby now, as a check will show, or a primary that can still be read.
    if (isReadOnly(error)) this.#recheck();
    else if (classify(error) === "unavailable") this.#onConnectionLost();
  }

  /** Marks the server down until a check over a new connection succeeds. */
  #onConnectionLost(): void {
    this.#markDown();
    this.#probe.disconnect();
    if (!this.#isClosed) this.#check();
  }

  #recheck(): void {
    if (this.#timer !== undefined && !this.#isClosed) this.#check();
  }

  #check(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const number = ++this.#checks;
    const startedAt = this.#clock.now();
    this.#lastCheck = this.#probe.check().then(
      (status) => this.#conclude(number, () => this.#accepts(status, startedAt)),
      () => this.#conclude(number, () => false),
    );
  }

  /** A primary that became a standby, or a replica that was promoted, is not used. */
  #accepts({ isStandby, position }: ServerStatus, startedAt: number): boolean {
    this.#position = position;
    if (isStandby !== (this.#role === "replica")) return false;
    if (isStandby) this.#lagTracker.noteReplica(position);
    else this.#lagTracker.notePrimary(position, startedAt);
    return true;
  }

  #conclude(number: number, judge: () => boolean): boolean | Promise<boolean> {
    if (this.#isClosed) return false;
    // A newer check runs, because this one's connection was lost.
    if (number !== this.#checks) return this.#lastCheck;
    const isHealthy = judge();
    if (isHealthy) this.#isHealthy = true;
    else this.#markDown();
    this.#scheduleCheck();
    return isHealthy;
  }

  #scheduleCheck(): void {
    this.#timer = setTimeout(() => this.#check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  #markDown(): void {
    this.#isHealthy = false;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const reject of pending) reject(new ConnectionError("unavailable", "the server went down"));
    for (const pool of this.#pools) pool.destroyConnections();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#probe.disconnect();
    // A server that is down would never complete a graceful end.
    if (!this.#isHealthy) this.#markDown();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }
}
