/**
 * Calls one source: at most 16 calls at a time in all processes together, each counted in the ledger before it is made,
 * with a breaker and few retries. Look-ups that wait together share a call where the source allows it.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Budget, Charge, Credentials, Failure, Login, Source, SourceRequest } from "#api/source.ts";
import { parseJson } from "#import/containers/parse-json.ts";
import type { BudgetCharge, BudgetUse, SourceLedger } from "#store/sources/port.ts";
import { Breaker } from "./breaker.ts";
import { accountOf, budgetStatus, describeExhausted, secondsToReset, toBudgetCharge } from "./budgets.ts";
import { type Fetcher, type HttpAnswer, UpstreamError } from "./fetcher.ts";
import type { BudgetStatus, CallResult, SourceStatus } from "./live-port.ts";
import { RetryBudget, retryDelayMs } from "./retry-budget.ts";
import { SourceUnavailable } from "./source-unavailable.ts";

/** Of one source, in all processes. */
export const MAX_CONCURRENT = 16;
const MAX_WAITING = 20_000;
const MAX_RETRIES = 2;
/** A longer `Retry-After` pauses the source instead. */
const MAX_RETRY_AFTER_MS = 2_000;
const MAX_PAUSE_MS = 3_600_000;
const REJECTED_PAUSE_MS = 300_000;
/** How often a slot is requested again that other processes have. */
const SLOT_RETRY_MS = 200;
const MAX_JSON_DEPTH = 200;
/** A token is renewed this long before it expires. */
const TOKEN_MARGIN_MS = 60_000;

/** An answer to import. */
export interface Answer {
  source: Source;
  request: SourceRequest;
  value: unknown;
  /** Without credentials. */
  url: string;
  /** Unix milliseconds. */
  capturedAt: number;
}

export interface ClientOptions {
  source: Source;
  credentials: Credentials;
  budgets: readonly Budget[];
  ledger: Pick<SourceLedger, "startCall" | "endCall" | "exhaust">;
  fetcher: Pick<Fetcher, "fetch">;
  importAnswer: (answer: Answer) => Promise<void>;
  /** Longer than any call. */
  leaseMs: number;
  clock?: () => number;
}

interface Waiting {
  request: SourceRequest;
  /** By `performance.now()`. */
  deadline: number;
  share: number;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

export class SourceClient {
  readonly #options: ClientOptions;
  readonly #account: string;
  readonly #clock: () => number;
  readonly #breaker: Breaker;
  readonly #retries = new RetryBudget();
  readonly #waiting: Waiting[] = [];
  readonly #calls: Record<CallResult, number> = { answered: 0, missing: 0, failed: 0 };
  #retryCount = 0;
  #running = 0;
  #isRejected = false;
  #token: { text: string; expiresAt: number } | null = null;
  #login: Promise<string> | null = null;
  /** Of calls that wait for a slot: the end of one wakes the first, since each asks the ledger under its one lock. */
  readonly #slotWaiters: (() => void)[] = [];

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#breaker = new Breaker(this.#clock);
    this.#account = accountOf(options.credentials);
  }

  /** The answer, which is imported; null if the source has no such thing. `share` of each budget may be used up by it. */
  call(request: SourceRequest, deadline: number, share = 1): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING) {
        reject(new SourceUnavailable("has too many requests waiting", 1_000));
        return;
      }
      this.#waiting.push({ request, deadline, share, resolve, reject });
      this.#startCalls();
    });
  }

  /** Spares a request to a source that is paused the entries in the ledger. */
  checkPause(): void {
    const { pause } = this.#breaker;
    if (pause !== null) throw SourceUnavailable.paused(pause);
  }

  status(): Omit<SourceStatus, "budgets"> {
    const { pause } = this.#breaker;
    return {
      name: this.#options.source.name,
      state: pause === null ? "ready" : this.#isRejected ? "rejected" : "paused",
      detail: pause?.reason ?? null,
      pausedUntil: pause === null ? null : this.#clock() + pause.retryAfterMs,
      calls: { ...this.#calls },
      retries: this.#retryCount,
      inProgress: this.#running,
      waiting: this.#waiting.length,
    };
  }

  #startCalls(): void {
    while (this.#running < MAX_CONCURRENT && this.#waiting.length > 0) {
      this.#running++;
      void this.#runNext().finally(() => {
        this.#running--;
        this.#slotWaiters.shift()?.();
        this.#startCalls();
      });
    }
  }

  async #runNext(): Promise<void> {
    // Requests of the same tick come together.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    const batch = this.#takeBatch();
    const [first] = batch;
    if (first === undefined) return;
    const pause = this.#breaker.check();
    if (pause !== null) {
      for (const { reject } of batch) reject(SourceUnavailable.paused(pause));
      return;
    }
    try {
      const answer = await this.#attempt(batch, first.share, await this.#acquire(first));
      for (const { resolve } of batch) resolve(answer);
    } catch (error) {
      this.#breaker.release();
      for (const { reject } of batch) reject(error);
    }
  }

  /** The first that waits and those that can share its call. What nobody waits for any more is dropped. */
  #takeBatch(): Waiting[] {
    const now = performance.now();
    const taken: Waiting[] = [];
    const values = new Set<string>();
    const rest: Waiting[] = [];
    for (const waiting of this.#waiting.splice(0)) {
      const [first] = taken;
      if (waiting.deadline < now) waiting.reject(new SourceUnavailable("has too many requests waiting", 1_000));
      else if (first === undefined || (isAlike(first, waiting) && hasRoom(first.request, values))) {
        taken.push(waiting);
        values.add(waiting.request.batch?.value ?? "");
      } else rest.push(waiting);
    }
    this.#waiting.push(...rest);
    return taken;
  }

  /** Counts a call in the ledger. Waits for a slot while other processes have them all. */
  async #acquire({ request, deadline, share }: Pick<Waiting, "request" | "deadline" | "share">): Promise<string> {
    const { source, ledger, budgets, leaseMs } = this.#options;
    const id = randomUUID();
    for (;;) {
      const decision = await ledger.startCall({
        id,
        source: source.name,
        account: this.#account,
        charges: request.charges.map((charge) => limitTo(share, toBudgetCharge(budgets, charge, this.#clock()))),
        maxConcurrent: MAX_CONCURRENT,
        leaseMs,
      });
      if (decision.state === "granted") return id;
      if (decision.state === "exhausted") throw this.#exhausted(decision.budget);
      if (performance.now() > deadline) throw new SourceUnavailable("has too many requests in progress", 1_000);
      await this.#waitForSlot(SLOT_RETRY_MS * (0.5 + Math.random()));
    }
  }

  async #waitForSlot(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#slotWaiters.push(resolve);
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    const index = this.#slotWaiters.indexOf(resolve);
    if (index >= 0) this.#slotWaiters.splice(index, 1);
  }

  #exhausted(name: string): SourceUnavailable {
    const budget = this.#options.budgets.find((candidate) => candidate.name === name);
    if (budget === undefined) return new SourceUnavailable("has no quota left");
    const resetS = secondsToReset(budget, this.#clock());
    return new SourceUnavailable(describeExhausted(budget), resetS === null ? null : resetS * 1_000);
  }

  async #attempt(batch: readonly Waiting[], share: number, firstCallId: string): Promise<unknown> {
    const { source, ledger } = this.#options;
    const request = joinBatch(batch.map((waiting) => waiting.request));
    const deadline = Math.max(...batch.map((waiting) => waiting.deadline));
    this.#retries.countCall();
    let callId: string | null = firstCallId;
    for (let attempt = 0; ; attempt++) {
      let outcome: Outcome;
      try {
        callId ??= await this.#acquire({ request, deadline, share });
        outcome = await this.#send(request);
      } finally {
        if (callId !== null) await ledger.endCall(source.name, callId);
        callId = null;
      }
      if (outcome.kind === "answer") return outcome.answer;
      const waitMs = outcome.retryAfterMs ?? retryDelayMs(attempt);
      const isAllowed = outcome.isTransient && attempt < MAX_RETRIES && performance.now() + waitMs < deadline;
      if (!isAllowed || this.#breaker.pause !== null || !this.#retries.take()) throw outcome.error;
      this.#retryCount++;
      await delay(waitMs);
    }
  }

  async #send(request: SourceRequest): Promise<Outcome> {
    const { source, credentials, fetcher, importAnswer } = this.#options;
    try {
      const authorization = source.authorize(credentials, await this.#getToken());
      const search = new URLSearchParams({ ...request.query, ...authorization.query }).toString();
      const body = request.body === undefined ? undefined : JSON.stringify(request.body);
      const answer = await fetcher.fetch({
        host: request.host,
        path: search === "" ? request.path : `${request.path}?${search}`,
        headers: {
          ...authorization.headers,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body }),
      });
      if (answer.status !== 200) return await this.#onFailure(answer, request.charges);
      const value = request.isText === true ? answer.body : parse(answer.body);
      const problem = request.check(value);
      if (problem !== null) throw new UpstreamError(`sent an answer that is not what was requested: ${problem}`, false);
      this.#breaker.succeeded();
      this.#isRejected = false;
      this.#calls.answered++;
      const url = `https://${request.host}${request.path}?${new URLSearchParams(request.query).toString()}`;
      if (request.isNotImported !== true)
        await importAnswer({ source, request, value, url, capturedAt: this.#clock() });
      return { kind: "answer", answer: value };
    } catch (error) {
      if (error instanceof LoginRejected) return this.#reject(error.message);
      if (!(error instanceof UpstreamError)) throw error;
      this.#calls.failed++;
      this.#breaker.failed(error.message);
      return { kind: "failure", error: new SourceUnavailable(error.message), isTransient: error.isTransient };
    }
  }

  async #onFailure(answer: HttpAnswer, charges: readonly Charge[]): Promise<Outcome> {
    const { source, ledger, budgets } = this.#options;
    const { status } = answer;
    const failure = source.readFailure?.(status, parseOrNull(answer.body)) ?? describeStatus(status);
    if (failure.kind === "missing") {
      this.#breaker.succeeded();
      this.#calls.missing++;
      return { kind: "answer", answer: null };
    }
    if (failure.kind === "credentials") return this.#reject(failure.detail);
    this.#calls.failed++;
    if (failure.kind === "refused") {
      this.#breaker.succeeded();
      return toFailure(new SourceUnavailable(`refused the request: ${failure.detail}`));
    }
    if (failure.kind === "quota") {
      for (const charge of charges.filter(({ budget }) => (failure.budget ?? budget) === budget))
        await ledger.exhaust(
          { source: source.name, account: this.#account },
          toBudgetCharge(budgets, charge, this.#clock()),
        );
      return toFailure(this.#exhausted(failure.budget ?? charges[0]?.budget ?? ""));
    }
    const reason = failure.kind === "busy" ? "asks to slow down" : failure.detail;
    const retryAfterMs = readRetryAfter(answer.headers["retry-after"], this.#clock());
    if (retryAfterMs !== null && retryAfterMs > MAX_RETRY_AFTER_MS) {
      const pauseMs = Math.min(retryAfterMs, MAX_PAUSE_MS);
      this.#breaker.pauseFor(pauseMs, reason);
      return toFailure(new SourceUnavailable(reason, pauseMs));
    }
    this.#breaker.failed(reason);
    const error = new SourceUnavailable(reason, retryAfterMs ?? 1_000);
    return { kind: "failure", error, isTransient: true, ...(retryAfterMs !== null && { retryAfterMs }) };
  }

  #reject(detail: string): Outcome {
    this.#calls.failed++;
    this.#isRejected = true;
    this.#token = null;
    const reason = `does not accept the credentials of ${this.#options.source.credentials.join(" and ")}: ${detail}`;
    this.#breaker.pauseFor(REJECTED_PAUSE_MS, reason);
    return toFailure(new SourceUnavailable(reason, REJECTED_PAUSE_MS));
  }

  async #getToken(): Promise<string | null> {
    const { login } = this.#options.source;
    if (login === undefined) return null;
    if (this.#token !== null && this.#token.expiresAt > this.#clock()) return this.#token.text;
    return (this.#login ??= this.#logIn(login).finally(() => (this.#login = null)));
  }

  async #logIn(login: Login): Promise<string> {
    const { credentials, fetcher } = this.#options;
    const answer = await fetcher.fetch({
      host: login.host,
      path: login.path,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(login.form(credentials)).toString(),
    });
    const granted = login.read(parseOrNull(answer.body));
    if (granted === null) {
      if (answer.status >= 500 || answer.status === 429)
        throw new UpstreamError(`gave no token for the credentials (status ${answer.status})`, true);
      throw new LoginRejected(`no token (status ${answer.status})`);
    }
    const { token, expiresInS } = granted;
    this.#token = { text: token, expiresAt: this.#clock() + expiresInS * 1_000 - TOKEN_MARGIN_MS };
    return token;
  }

  budgetStatus(uses: readonly BudgetUse[]): BudgetStatus[] {
    const { source, budgets } = this.#options;
    return budgetStatus({ source: source.name, account: this.#account }, budgets, uses, this.#clock());
  }
}

class LoginRejected extends Error {
  override name = "LoginRejected";
}

type Outcome =
  | { kind: "answer"; answer: unknown }
  | { kind: "failure"; error: SourceUnavailable; isTransient: boolean; retryAfterMs?: number };

function toFailure(error: SourceUnavailable): Outcome {
  return { kind: "failure", error, isTransient: false };
}

/** Whether both can be one call. */
function isAlike(one: Waiting, other: Waiting): boolean {
  const { batch } = one.request;
  return batch !== undefined && batch.key === other.request.batch?.key && one.share === other.share;
}

function limitTo(share: number, charge: BudgetCharge): BudgetCharge {
  return { ...charge, limit: Math.floor(charge.limit * share) };
}

function hasRoom({ batch }: SourceRequest, values: ReadonlySet<string>): boolean {
  return values.size < (batch?.max ?? 1);
}

function joinBatch(requests: readonly SourceRequest[]): SourceRequest {
  const [first] = requests;
  if (first === undefined) throw new Error("a batch has at least one request");
  if (first.batch === undefined) return first;
  return first.batch.join([...new Set(requests.flatMap(({ batch }) => batch?.value ?? []))]);
}

function describeStatus(status: number): Failure {
  if (status === 404 || status === 410) return { kind: "missing" };
  if (status === 401) return { kind: "credentials", detail: "status 401" };
  if (status === 429) return { kind: "busy" };
  if (status >= 400 && status < 500) return { kind: "refused", detail: `status ${status}` };
  return { kind: "failed", detail: `answered with status ${status}` };
}

/** Seconds or a date (RFC 9110). */
function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

function parse(text: string): unknown {
  try {
    return parseJson(text, MAX_JSON_DEPTH);
  } catch {
    throw new UpstreamError("sent an answer that is not JSON", false);
  }
}

function parseOrNull(text: string): unknown {
  try {
    return parseJson(text, MAX_JSON_DEPTH);
  } catch {
    return null;
  }
}
