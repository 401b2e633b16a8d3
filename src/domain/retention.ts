/** How long records are kept after their last capture, by source and kind. */
import { DAY_MS } from "./time.ts";

export const RETENTION_KINDS = [
  "account",
  "post",
  "comment",
  "sound",
  "hashtag",
  "place",
  "subtitles",
  "follow",
  "chart",
  "history",
] as const;

/** `history` is the counters of records, which also go with their record. */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

export interface RetentionRule {
  /** As records have it, such as `zeeschuimer`; empty for all. */
  source: string;
  /** Empty for all. */
  kind: RetentionKind | "";
  /** Null keeps them for ever. */
  days: number | null;
}

/** What the terms of a source demand: its records go after this time at the latest, whatever the rules say. */
export interface RetentionDuty {
  source: string;
  days: number;
}

/** Records of one kind that are due: those of one source, or of all but some, captured before a moment. */
export interface Expiry {
  kind: RetentionKind;
  /** Null for all sources but `except`. */
  source: string | null;
  except: readonly string[];
  /** Unix milliseconds. */
  before: number;
}

/** The most specific rule counts: source and kind, then source, then kind, then the one for everything. */
export function daysFor(rules: readonly RetentionRule[], source: string, kind: RetentionKind): number | null {
  for (const [ofSource, ofKind] of [
    [source, kind],
    [source, ""],
    ["", kind],
    ["", ""],
  ]) {
    const rule = rules.find((candidate) => candidate.source === ofSource && candidate.kind === ofKind);
    if (rule !== undefined) return rule.days;
  }
  return null;
}

export function listExpiries(rules: readonly RetentionRule[], duties: readonly RetentionDuty[], now: number): Expiry[] {
  const sources = [...new Set([...rules, ...duties].map(({ source }) => source).filter((source) => source !== ""))];
  const expiries: Expiry[] = [];
  for (const kind of RETENTION_KINDS) {
    const add = (source: string | null, except: readonly string[], days: number | null) => {
      if (days !== null) expiries.push({ kind, source, except, before: now - days * DAY_MS });
    };
    // Counters have no source of their own.
    const own = kind === "history" ? [] : sources;
    for (const source of own) {
      const due = duties.filter((duty) => duty.source === source).map(({ days }) => days);
      const days = Math.min(daysFor(rules, source, kind) ?? Infinity, ...due);
      add(source, [], days === Infinity ? null : days);
    }
    add(null, own, daysFor(rules, "", kind));
  }
  return expiries;
}

/** `source` is null for what has none. */
export function isExpired(
  expiries: readonly Expiry[],
  kind: RetentionKind,
  source: string | null,
  capturedAt: number,
): boolean {
  return expiries.some((expiry) => expiry.kind === kind && capturedAt < expiry.before && isForSource(expiry, source));
}

export function isForSource(expiry: Expiry, source: string | null): boolean {
  if (expiry.source !== null) return expiry.source === source;
  return source === null || !expiry.except.includes(source);
}
