/**
 * An official source of a platform: what it can fill, what that costs, how long its data may be kept. It answers in the
 * documents that importers read, so it only says what to request; src/live does the requesting.
 */
import type { PlatformName, RecordKind } from "#domain/record.ts";

export interface Source {
  /** Records have it as their source. */
  name: string;
  title: string;
  platform: PlatformName;
  /** URL of the terms that its data come with. */
  terms: string;
  /** The settings with its credentials; none if it needs no key. */
  credentials: readonly string[];
  /** Requests go to these hosts only, over TLS. */
  hosts: readonly string[];
  budgets: readonly Budget[];
  /** Records are deleted when they are this old; null if its terms do not say. */
  retentionDays: number | null;
  /** Records are requested again when they are this old, by the plans of `refreshes`. */
  refreshAfterDays: number | null;
  /** Of the record alone, not of what else it leads to. Of accounts, only those with a stored post are requested. */
  refreshes?: Readonly<Partial<Record<RecordKind, CreateRefresh>>>;
  /** By the name of the operation, such as `longvideo/video/details`. */
  fills: Readonly<Record<string, CreatePlan>>;
  /** For sources that exchange their credentials for a token. */
  login?: Login;
  authorize(credentials: Credentials, token: string | null): Authorization;
  /** What an error of this source means, where its status alone does not tell. */
  readFailure?(status: number, body: unknown): Failure | null;
}

/** Of a source without a key, whose terms set no limits. */
export const KEYLESS = {
  credentials: [],
  budgets: [],
  retentionDays: null,
  refreshAfterDays: null,
  authorize: () => ({}),
} as const;

/** By the name of the setting. */
export type Credentials = Readonly<Record<string, string>>;

export interface Authorization {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
}

/** What a key allows. */
export interface Budget {
  name: string;
  /** For people: "units a day". */
  title: string;
  limit: number;
  /** Resets at midnight in this time zone; null for a rolling window. */
  timezone: string | null;
  /** For a rolling window: each distinct item counts once within this many days. */
  windowDays?: number;
}

export interface Charge {
  budget: string;
  units: number;
  /** What is counted once per window. */
  item?: string;
}

export interface PlanContext {
  /** Unix milliseconds. */
  now: number;
  credentials: Credentials;
  defaults: { country: string; language: string };
}

/** Null if the source cannot fill this input. The input was parsed by the operation's schema; numbers are text again. */
export type CreatePlan = (input: PlanInput, context: PlanContext) => Plan | null;

/** Null for an id that the source does not know. */
export type CreateRefresh = (id: string, context: PlanContext) => Plan | null;

export type PlanInput = Readonly<Partial<Record<string, string>>>;

export interface Plan {
  /** Equal for inputs that request the same. */
  key: string;
  /**
   * Yields one request after the other, and gets the answer to each; null if the source has no such thing. Returns whether
   * the source had what was requested.
   */
  steps(): Generator<SourceRequest, boolean, unknown>;
}

/** A plan of one request that costs nothing. */
export function planRequest(key: string, request: Omit<SourceRequest, "charges">): Plan {
  return {
    key,
    *steps() {
      return (yield { ...request, charges: [] }) !== null;
    },
  };
}

export interface SourceRequest {
  host: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** Sent as JSON with POST. */
  body?: object;
  charges: readonly Charge[];
  /** Requests that wait together with the same key become one. */
  batch?: { key: string; value: string; max: number; join(values: readonly string[]): SourceRequest };
  /** What is wrong with an answer, null if nothing is. */
  check(answer: unknown): string | null;
  /** The answer is text that is not JSON. */
  isText?: true;
  /** The answer only tells what to request next. */
  isNotImported?: true;
  /** What a list is about that does not say so itself. */
  subject?: string;
}

/** Exchanges credentials for a token that is valid for a while. */
export interface Login {
  host: string;
  path: string;
  form(credentials: Credentials): Readonly<Record<string, string>>;
  /** Null if the answer has none. */
  read(answer: unknown): { token: string; expiresInS: number } | null;
}

export type Failure =
  /** A budget is used up until it resets. */
  | { kind: "quota"; budget: string | null }
  /** Too many requests at the moment. */
  | { kind: "busy" }
  /** The credentials are not accepted. */
  | { kind: "credentials"; detail: string }
  /** There is no such thing. */
  | { kind: "missing" }
  /** The request was refused for what it asks for. */
  | { kind: "refused"; detail: string }
  /** Anything else: it may work later. */
  | { kind: "failed"; detail: string };
