/**
 * Asks sources for what an operation needs. Equal requests are made once, also by several processes, and not again within
 * their minimum age. Runs beside the server, in a thread of its own.
 */
import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Operation } from "#api/platform.ts";
import type { CreateRefresh, Credentials, Plan, PlanContext, Source } from "#api/source.ts";
import { isRecordKind, type RecordKind } from "#domain/record.ts";
import { DAY_MS } from "#domain/time.ts";
import type {
  AgedRecord,
  FetchDecision,
  FetchEnd,
  FetchResult,
  FetchStart,
  SourceLedger,
} from "#store/sources/port.ts";
import { type BudgetLimits, budgetsOf } from "./budgets.ts";
import { type Dial, Fetcher } from "./fetcher.ts";
import type { AskOutcome, AskRequest, SourceStatus } from "./live-port.ts";
import { microBatch } from "./micro-batch.ts";
import { credentialsOf, Planner } from "./planner.ts";
import { type Answer, MAX_CONCURRENT, SourceClient } from "./source-client.ts";
import { SourceUnavailable } from "./source-unavailable.ts";

/** Of one call. Clients wait less: their deadline is a setting. */
const CALL_TIMEOUT_MS = 10_000;
/** Twice what 50 videos with the longest descriptions take. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/**
 * Longer than any plan takes, which is the longest deadline and the calls that it does not cut off. After this long,
 * another process may make the requests of one that died.
 */
const LEASE_MS = 90_000;
/** What a source did not have is not requested again within this time. */
const EMPTY_FOR_MS = 600_000;
const POLL_MS = 100;
/** Records that are requested together. */
const REFRESH_BATCH = 100;
/** The other half of each budget is left to clients and watches. */
const REFRESH = { mode: "refresh", share: 0.5 } as const;
const REFRESH_WITHIN_MS = 60_000;

export interface EngineOptions {
  sources: readonly Source[];
  operations: readonly Operation[];
  credentials: Credentials;
  limits: BudgetLimits;
  maxAgeMs: number;
  defaults: PlanContext["defaults"];
  ledger: SourceLedger;
  importAnswer: (answer: Answer) => Promise<void>;
  onError(error: unknown): void;
  dial?: (host: string) => Dial;
  callTimeoutMs?: number;
}

interface ActiveSource {
  source: Source;
  client: SourceClient;
  fetcher: Fetcher;
}

interface FetchOptions extends Pick<AskRequest, "mode" | "minAgeMs"> {
  /** Of each budget, how much may be used up by it. */
  share?: number;
}

export class LiveEngine {
  readonly #options: EngineOptions;
  readonly #active: readonly ActiveSource[];
  readonly #planner: Planner;
  /** Asks in progress, by source and request. */
  readonly #asking = new Map<string, Promise<FetchResult>>();
  readonly #owner = randomUUID();
  #isClosed = false;
  readonly #startFetch: (start: FetchStart) => Promise<FetchDecision>;
  readonly #endFetch: (end: FetchEnd) => Promise<void>;

  constructor(options: EngineOptions) {
    const { ledger, sources } = options;
    this.#options = options;
    this.#planner = new Planner(options);
    this.#active = sources.map((source) => this.#open(source));
    this.#startFetch = microBatch((starts) => ledger.startFetches(starts, { owner: this.#owner, leaseMs: LEASE_MS }));
    this.#endFetch = microBatch(async (ends) => {
      await ledger.endFetches(ends);
      return ends.map(() => undefined);
    });
  }

  #open(source: Source): ActiveSource {
    const { credentials, limits, ledger, importAnswer, dial, callTimeoutMs = CALL_TIMEOUT_MS } = this.#options;
    const fetcher = new Fetcher({
      hosts: source.hosts,
      timeoutMs: callTimeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      maxSockets: MAX_CONCURRENT,
      ...(dial && { dial }),
    });
    const budgets = budgetsOf(source, limits);
    const client = new SourceClient({
      source,
      credentials: credentialsOf(source, credentials),
      budgets,
      ledger,
      fetcher,
      importAnswer,
      leaseMs: 2 * callTimeoutMs + 10_000,
    });
    return { source, client, fetcher };
  }

  async ask(request: AskRequest): Promise<AskOutcome> {
    const deadline = performance.now() + request.withinMs;
    let last: AskOutcome = { state: "none" };
    for (const active of this.#active) {
      const plan = this.#planner.createPlan(active.source, request);
      if (plan === null) continue;
      last = await this.#askSource(active, plan, request, deadline);
      // Another source is asked only if this one did not answer.
      if (last.state !== "unavailable") return last;
    }
    return last;
  }

  async #askSource(active: ActiveSource, plan: Plan, request: FetchOptions, deadline: number): Promise<AskOutcome> {
    const { name } = active.source;
    const key = `${name} ${plan.key}`;
    const running = this.#asking.get(key);
    const isShared = running !== undefined;
    try {
      const asking = running ?? this.#fetch(active, plan, request, deadline);
      if (!isShared) this.#asking.set(key, asking);
      const result = await asking.finally(() => this.#asking.get(key) === asking && this.#asking.delete(key));
      return result === "filled" ? { state: "filled", source: name, isShared } : { state: "empty", source: name };
    } catch (error) {
      if (error instanceof SourceUnavailable) return error.toOutcome(name);
      this.#options.onError(error);
      return new SourceUnavailable("answered, but the store did not", 1_000).toOutcome(name);
    }
  }

  async #fetch(
    { source, client }: ActiveSource,
    plan: Plan,
    { mode, minAgeMs, share }: FetchOptions,
    deadline: number,
  ): Promise<FetchResult> {
    const { maxAgeMs } = this.#options;
    const start = {
      source: source.name,
      request: digestOf(plan),
      minAgeMs: minAgeMs ?? (mode === "refresh" ? maxAgeMs : Math.min(EMPTY_FOR_MS, maxAgeMs)),
    };
    for (;;) {
      client.checkPause();
      const decision = await this.#startFetch(start);
      if (decision.state === "started") break;
      if (decision.state === "recent") return decision.result;
      // Another process makes it.
      if (performance.now() > deadline) throw new SourceUnavailable("did not answer another node in time", 1_000);
      await delay(POLL_MS * (0.5 + Math.random()));
    }
    let result: FetchResult | null = null;
    try {
      result = (await runPlan(plan, client, deadline, share)) ? "filled" : "empty";
      return result;
    } finally {
      await this.#endFetch({ source: source.name, request: digestOf(plan), result });
    }
  }

  /**
   * Requests again what the terms of its source do not let age any further: the oldest first, until a source does not
   * answer. Returns the number of requests that were answered.
   */
  async refreshAged(now = Date.now()): Promise<number> {
    let answered = 0;
    for (const active of this.#active) {
      const { refreshAfterDays, refreshes = {} } = active.source;
      if (refreshAfterDays === null) continue;
      const before = now - refreshAfterDays * DAY_MS;
      for (const [kind, createRefresh] of Object.entries(refreshes))
        if (isRecordKind(kind)) answered += await this.#refreshKind(active, kind, createRefresh, before);
    }
    return answered;
  }

  async #refreshKind(
    active: ActiveSource,
    kind: RecordKind,
    createRefresh: CreateRefresh,
    before: number,
  ): Promise<number> {
    const { name, platform } = active.source;
    const context = this.#planner.contextOf(active.source);
    // However old an answer may become, one that was requested weeks ago is not recent.
    const options = { ...REFRESH, minAgeMs: Math.min(this.#options.maxAgeMs, DAY_MS) };
    let answered = 0;
    let after: AgedRecord | undefined;
    while (!this.#isClosed) {
      const page = { limit: REFRESH_BATCH, after };
      const aged = await this.#options.ledger.listAged({ platform, kind, source: name }, before, page);
      after = aged.at(-1);
      if (after === undefined) break;
      const deadline = performance.now() + REFRESH_WITHIN_MS;
      const outcomes = await Promise.all(
        aged
          .flatMap(({ id }) => createRefresh(id, context) ?? [])
          .map((plan) => this.#askSource(active, plan, options, deadline)),
      );
      answered += outcomes.filter(({ state }) => state === "filled").length;
      // One that the source always refuses must not keep it from the others.
      if (outcomes.length > 0 && outcomes.every(({ state }) => state === "unavailable")) break;
    }
    return answered;
  }

  async status(): Promise<SourceStatus[]> {
    const uses = await this.#options.ledger.listUse();
    return this.#active.map(({ client }) => ({ ...client.status(), budgets: client.budgetStatus(uses) }));
  }

  close(): void {
    this.#isClosed = true;
    for (const { fetcher } of this.#active) fetcher.close();
  }
}

/** The ledger need not say who was looked up. */
function digestOf({ key }: Plan): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** Returns whether the source had what was requested. */
async function runPlan(plan: Plan, client: SourceClient, deadline: number, share?: number): Promise<boolean> {
  const steps = plan.steps();
  let next = steps.next();
  while (next.done !== true) next = steps.next(await client.call(next.value, deadline, share));
  return next.value;
}
