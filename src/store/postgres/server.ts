/**
 * One server that questions can be asked of. It is checked again and again; as soon as it does not answer, all who wait
 * for it are told and its connections are closed, and nobody asks it until a check finds it well.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { QueryTimeout, classify, ServerUnavailable, toApiError } from "./connection-errors.ts";
import { setFairTimeout } from "./timeouts.ts";
import type { Probe, ServerStatus } from "./probe.ts";

const CHECK_EVERY_MS = 300;

/** An answer that takes longer may never come: whether the server is well is asked at once. */
const SUSPECT_AFTER_MS = 200;

export interface ServerParts {
  /** Answers questions. */
  db: Database;
  probe: Probe;
  /** Other pools whose statements are short and are not worth waiting for while the server is away. */
  others?: readonly Database[];
  /** Whether it may be used before the first check. */
  well: boolean;
  /** Whether what a check has found makes it fit to be asked. */
  judge: (vitals: ServerStatus, askedAt: number) => boolean;
}

export class Server {
  readonly db: Database;
  readonly #probe: Probe;
  readonly #others: readonly Database[];
  readonly #judge: ServerParts["judge"];
  /** Those who wait for an answer. */
  readonly #asking = new Set<(error: Error) => void>();
  #well: boolean;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #checks = 0;
  #checking: Promise<boolean> | null = null;
  /** The outcome of the newest check. */
  #verdict: Promise<boolean> = Promise.resolve(false);

  constructor({ db, probe, others = [], well, judge }: ServerParts) {
    this.db = db;
    this.#probe = probe;
    this.#others = others;
    this.#judge = judge;
    this.#well = well;
    this.#checkLater();
  }

  get isHealthy(): boolean {
    return this.#well;
  }

  /** Whether it is well, by the check that is under way or was the last. */
  get lastCheck(): Promise<boolean> {
    return this.#verdict;
  }

  /** Rejects when the answer is not there in time or the server is found not to answer, whatever comes first. */
  query<Result>(question: () => Promise<Result>, patienceMs: number): Promise<Result> {
    if (!this.#well) return Promise.reject(new ServerUnavailable("the server does not answer"));
    return new Promise((resolve, reject) => {
      const suspicion = setFairTimeout(SUSPECT_AFTER_MS, () => this.#recheck());
      const lateness = setFairTimeout(patienceMs, () => reject(new QueryTimeout(`no answer within ${patienceMs} ms`)));
      this.#asking.add(reject);
      const end = (): boolean => {
        clearTimeout(suspicion);
        clearTimeout(lateness);
        return this.#asking.delete(reject);
      };
      question().then(
        (answer) => {
          end();
          resolve(answer);
        },
        (error: unknown) => {
          // Whoever is no longer counted was told of the failure before it.
          if (end() && classify(error) === "away") this.#onConnectionLost();
          reject(error);
        },
      );
    });
  }

  /** For what is not asked elsewhere: begun once the server is well, and then left the time it takes. */
  async run<Result>(work: () => Promise<Result>, patienceMs = 0): Promise<Result> {
    const until = performance.now() + patienceMs;
    while (!this.#well && performance.now() < until) await sleep(CHECK_EVERY_MS);
    if (!this.#well) throw toApiError(new ServerUnavailable("the server does not answer"));
    try {
      return await work();
    } catch (error) {
      if (this.#well && classify(error) === "away") this.#onConnectionLost();
      throw toApiError(error);
    }
  }

  /** A connection was lost: whether the server goes on is seen over a new one. */
  #onConnectionLost(): void {
    this.#markDown();
    this.#probe.drop();
    if (!this.#closed) void this.#check();
  }

  #recheck(): void {
    if (this.#checking === null && !this.#closed) void this.#check();
  }

  #check(): Promise<boolean> {
    clearTimeout(this.#timer);
    const number = ++this.#checks;
    const askedAt = performance.now();
    const checking = this.#probe.ask().then(
      (vitals) => this.#conclude(number, () => this.#judge(vitals, askedAt)),
      () => this.#conclude(number, () => false),
    );
    this.#checking = checking;
    this.#verdict = checking;
    return checking;
  }

  #conclude(number: number, judge: () => boolean): boolean | Promise<boolean> {
    if (this.#closed) return false;
    // A newer check was begun because this one's connection is not trusted any more.
    if (number !== this.#checks) return this.#verdict;
    const well = judge();
    this.#checking = null;
    if (well) this.#well = true;
    else this.#markDown();
    this.#checkLater();
    return well;
  }

  #checkLater(): void {
    this.#timer = setTimeout(() => void this.#check(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  #markDown(): void {
    this.#well = false;
    const waiting = [...this.#asking];
    this.#asking.clear();
    for (const reject of waiting) reject(new ServerUnavailable("the server stopped answering"));
    for (const db of [this.db, ...this.#others]) db.destroyConnections();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#probe.drop();
    // Nobody says goodbye to a server that does not listen.
    if (!this.#well) this.#markDown();
    await Promise.all([this.db, ...this.#others].map((db) => db.close()));
  }
}
