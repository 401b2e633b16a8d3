/**
 * The primary and its replicas. Reads go to healthy replicas within the lag limit in turn, else to the primary; a read
 * that fails is retried on another server while there is time. All statements of one read go to one server, so that a
 * result never mixes two states.
 */
import { classify, ConnectionError, toStoreError } from "./connection-errors.ts";
import { Database } from "./database.ts";
import { Probe } from "./probe.ts";
import { WalLagTracker } from "./replication-lag.ts";
import { type MonotonicClock, Server } from "./server.ts";

/** With more waiters than this, the last would time out anyway. */
const MAX_WAITING = 1_000;

/** Waiting longer for a connection would leave no time to try another server. */
const CONNECT_TIMEOUT_MS = 800;

/** The server cancels a slow statement by itself; its error needs a moment to arrive. */
const CANCEL_GRACE_MS = 200;

export interface ServersOptions {
  url: string;
  /** Streaming replicas. */
  replicaUrls: readonly string[];
  maxLagMs: number;
  /** Per server. */
  connections: number;
  statementTimeoutMs: number;
  /** Multiplies the times after which a server counts as down. */
  timeoutFactor?: number;
  applicationName: string;
  /** Other pools to the primary with short statements. */
  otherPools: readonly Database[];
  /** Default: the clock of this process. Tests let time pass. */
  clock?: MonotonicClock;
}

/** Which replicas may confirm a token that the primary cannot. */
export interface PrimaryFirst {
  /** While the primary is up but cannot serve the read: stricter than the limit of all reads. */
  maxLagMs: number;
  /** The state of the replica is at most this old, however long ago the primary was last heard of. */
  maxAgeMs: number;
}

export interface ReadOptions {
  /** For tokens, which must not be stale while the primary is up. */
  primaryFirst?: PrimaryFirst;
  /** For the whole read, including retries on other servers. */
  timeoutMs?: number;
}

export class Servers {
  readonly primary: Server;
  readonly replicas: readonly Server[];
  readonly #lagTracker = new WalLagTracker();
  readonly #maxLagMs: number;
  readonly #timeoutMs: number;
  readonly #clock: MonotonicClock;
  #reads = 0;
  #lastWriteAt: number;
  #lastTokenWriteAt = Number.NEGATIVE_INFINITY;

  constructor({ url, replicaUrls, maxLagMs, connections, statementTimeoutMs, ...options }: ServersOptions) {
    const { applicationName, otherPools, timeoutFactor = 1, clock = performance } = options;
    const connectTimeoutMs = CONNECT_TIMEOUT_MS * timeoutFactor;
    const pool = { connections, statementTimeoutMs, applicationName, connectTimeoutMs, maxWaiting: MAX_WAITING };
    const parts = (serverUrl: string) => ({
      db: new Database({ ...pool, url: serverUrl }),
      probe: new Probe({ url: serverUrl, applicationName, timeoutFactor }),
      lagTracker: this.#lagTracker,
      clock,
    });
    this.primary = new Server({ ...parts(url), role: "primary", otherPools });
    this.replicas = replicaUrls.map((replicaUrl) => new Server({ ...parts(replicaUrl), role: "replica" }));
    this.#maxLagMs = maxLagMs;
    this.#timeoutMs = statementTimeoutMs + CANCEL_GRACE_MS;
    this.#clock = clock;
    this.#lastWriteAt = clock.now();
  }

  /** From now on this process reads only from replicas that have replayed its write, as long as there is a choice. */
  noteWrite(): void {
    this.#lastWriteAt = this.#clock.now();
  }

  /** From now on no replica that may lack this change confirms a token. */
  noteTokenWrite(): void {
    this.#lastTokenWriteAt = this.#clock.now();
  }

  async read<Result>(query: (server: Server) => Promise<Result>, options: ReadOptions = {}): Promise<Result> {
    const { primaryFirst = null, timeoutMs = this.#timeoutMs } = options;
    const deadline = performance.now() + timeoutMs;
    const tried = new Set<Server>();
    let failure: unknown = new ConnectionError("unavailable", "no server is available");
    let retryable: Server | null = null;
    for (let leftMs = timeoutMs; leftMs > 0; leftMs = deadline - performance.now()) {
      const server = this.#choose(tried, primaryFirst);
      if (server === null) {
        // Perhaps only a connection was lost: try that server once more if it is healthy.
        if (retryable === null || !(await retryable.lastCheck)) break;
        tried.delete(retryable);
        retryable = null;
        continue;
      }
      try {
        return await server.query(() => query(server), leftMs);
      } catch (error) {
        const kind = classify(error);
        if (kind === null) throw error;
        failure = error;
        if (kind === "timeout") break;
        if (kind === "unavailable" && tried.size === 0) retryable = server;
        tried.add(server);
      }
    }
    throw toStoreError(failure);
  }

  #choose(tried: ReadonlySet<Server>, primaryFirst: PrimaryFirst | null): Server | null {
    const isCandidate = (server: Server) => server.isHealthy && !tried.has(server);
    const primary = isCandidate(this.primary) ? this.primary : null;
    if (primary !== null && (primaryFirst !== null || this.replicas.length === 0)) return primary;
    const now = this.#clock.now();
    const { isHealthy } = this.primary;
    // While the primary is down, its last response stops the clock of the lag.
    const asOf = isHealthy ? now : this.#lagTracker.heardAt;
    const maxLagMs = isHealthy ? Math.min(primaryFirst?.maxLagMs ?? this.#maxLagMs, this.#maxLagMs) : this.#maxLagMs;
    const fresh = this.replicas.filter(
      (server) => isCandidate(server) && this.#lagTracker.lag(server.position, asOf) <= maxLagMs,
    );
    const coveredSince = (time: number) =>
      fresh.filter(({ position }) => this.#lagTracker.coveredUntil(position) >= time);
    if (primaryFirst !== null) {
      return this.#nextOf(coveredSince(Math.max(this.#lastTokenWriteAt, now - primaryFirst.maxAgeMs)));
    }
    return this.#nextOf(coveredSince(this.#lastWriteAt)) ?? primary ?? this.#nextOf(fresh);
  }

  /** Round robin. */
  #nextOf(replicas: readonly Server[]): Server | null {
    return replicas[this.#reads++ % replicas.length] ?? null;
  }

  async close(): Promise<void> {
    await Promise.all([this.primary, ...this.replicas].map((server) => server.close()));
  }
}
