/** What was asked of the service, and whether these figures meet it. */
import type { Kind } from "./http-tasks.ts";
import type { Tail } from "./http-tail.ts";
import type { Pattern } from "./load-patterns.ts";

export interface Verdict {
  asked: string;
  bound: string;
  found: string;
  met: "yes" | "NO" | "not measured";
}

/** Shares of the rate of bare node:http that sends the same bytes. */
const SHARES: Partial<Record<Kind, Record<Pattern, number>>> = {
  "look-up": { zipf: 0.85, uniform: 0.65 },
  list: { zipf: 0.6, uniform: 0.4 },
  "not modified": { zipf: 0.9, uniform: 0.9 },
};
const TAIL = 3;
/** From this share on, what other work on the machine took is said beside a tail. */
const DISTURBED = 0.02;
/** With fewer timed than this, those that were are not typical. */
const ENOUGH = 0.8;
const MEMORY_MB = 350;
const START_MS = 1_000;

export interface Share {
  task: string;
  kind: Kind;
  pattern: Pattern;
  byRate: number;
  byProcessor: number;
  /** Whether each of the two had a core to itself and used it. */
  busy: boolean;
}

/** A rate that something else held back says nothing; what the processor had to do for a request still does. */
export function judgeShare({ task, kind, pattern, byRate, byProcessor, busy }: Share): Verdict[] {
  const bound = SHARES[kind]?.[pattern];
  if (bound === undefined) return [];
  const found = busy ? byRate : byProcessor;
  const means = busy ? "" : " (by processor time: the core was not its own)";
  return [atLeast(`${kind}, ${task}, ${pattern}: share of bare node:http${means}`, bound, found)];
}

export function judgeTail(name: string, pattern: Pattern, { ratio, timed, withoutCore }: Tail): Verdict {
  const doubts = [
    ...(withoutCore > DISTURBED ? [`${percent(withoutCore)} of the time without a core`] : []),
    ...(timed < 1 - DISTURBED ? [`${percent(timed)} of the requests timed`] : []),
  ];
  const doubt = doubts.length === 0 ? "" : ` (${doubts.join(", ")})`;
  const verdict = atMost(`${name}, ${pattern}: p99 / median at half of peak load${doubt}`, TAIL, ratio);
  return timed < ENOUGH ? { ...verdict, met: "not measured" } : verdict;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function judgeMemory(posts: number, rssMB: number): Verdict {
  return atMost(`memory after the load with ${posts} posts, MB (asked of 1000000)`, MEMORY_MB, rssMB);
}

export function judgeStart(milliseconds: number): Verdict {
  return atMost("start to /readyz, ms", START_MS, milliseconds);
}

export function atLeast(asked: string, bound: number, found: number): Verdict {
  return { asked, bound: `>= ${bound}`, found: shown(found), met: found >= bound ? "yes" : "NO" };
}

export function atMost(asked: string, bound: number, found: number): Verdict {
  return { asked, bound: `<= ${bound}`, found: shown(found), met: found <= bound ? "yes" : "NO" };
}

export function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2);
}
