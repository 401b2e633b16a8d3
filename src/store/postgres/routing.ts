/**
 * Which server answers a question: the replicas in turn, as long as they are well and fresh enough, else the primary. A
 * question that its server leaves unanswered is asked of another one, while there is time. All statements of one
 * question go to one server, so that an answer is never made of two states.
 */
import { classify, ServerUnavailable, toApiError } from "./connection-errors.ts";
import type { WalLagTracker } from "./replication-lag.ts";
import type { Server } from "./server.ts";

export interface Replica {
  server: Server;
  /** Bytes of write-ahead log that it has replayed. */
  position: number;
}

export interface RoutingParts {
  primary: Server;
  replicas: readonly Replica[];
  positions: WalLagTracker;
  maxLagMs: number;
  /** For one question, all servers that are asked included. */
  patienceMs: number;
}

/** `replicas first` spares the primary; `primary first` is for what must not be old, as long as that can be had. */
export type Order = "replicas first" | "primary first";

export interface ReadOptions {
  order?: Order;
  /** For questions that allow less than the others. */
  maxLagMs?: number;
  patienceMs?: number;
}

export class Routing {
  readonly primary: Server;
  readonly #replicas: readonly Replica[];
  readonly #positions: WalLagTracker;
  readonly #maxLagMs: number;
  readonly #patienceMs: number;
  #turn = 0;
  #wroteAt = performance.now();

  constructor({ primary, replicas, positions, maxLagMs, patienceMs }: RoutingParts) {
    this.primary = primary;
    this.#replicas = replicas;
    this.#positions = positions;
    this.#maxLagMs = maxLagMs;
    this.#patienceMs = patienceMs;
  }

  /** This process has written: it reads from no replica that may not know of it, unless there is nothing else. */
  wrote(): void {
    this.#wroteAt = performance.now();
  }

  async read<Result>(question: (server: Server) => Promise<Result>, options: ReadOptions = {}): Promise<Result> {
    const { order = "replicas first", patienceMs = this.#patienceMs } = options;
    const maxLagMs = Math.min(options.maxLagMs ?? this.#maxLagMs, this.#maxLagMs);
    const end = performance.now() + patienceMs;
    const tried = new Set<Server>();
    let failure: unknown = new ServerUnavailable("no server answers");
    let lost: Server | null = null;
    for (let left = patienceMs; left > 0; left = end - performance.now()) {
      const server = this.#choose(tried, order, maxLagMs);
      if (server === null) {
        // Only a connection may have been lost: its server is asked again if it is well.
        if (lost === null || !(await lost.lastCheck)) break;
        tried.delete(lost);
        lost = null;
        continue;
      }
      try {
        return await server.query(async () => question(server), left);
      } catch (error) {
        const fault = classify(error);
        if (fault === null) throw error;
        failure = error;
        if (fault === "late") break;
        if (fault === "away" && lost === null && tried.size === 0) lost = server;
        tried.add(server);
      }
    }
    throw toApiError(failure);
  }

  #choose(tried: ReadonlySet<Server>, order: Order, maxLagMs: number): Server | null {
    const primary = this.primary.isHealthy && !tried.has(this.primary) ? this.primary : null;
    if (primary !== null && (order === "primary first" || this.#replicas.length === 0)) return primary;
    const now = performance.now();
    const fresh = this.#replicas.filter(
      ({ server, position }) =>
        server.isHealthy && !tried.has(server) && this.#positions.lag(position, now) <= maxLagMs,
    );
    const current = fresh.filter(({ position }) => this.#positions.coveredUntil(position) >= this.#wroteAt);
    return this.#next(current) ?? primary ?? this.#next(fresh);
  }

  #next(replicas: readonly Replica[]): Server | null {
    if (replicas.length === 0) return null;
    this.#turn = (this.#turn + 1) % Number.MAX_SAFE_INTEGER;
    return replicas[this.#turn % replicas.length]?.server ?? null;
  }
}
