/** How well answers meet judgements: mean reciprocal rank, recall within the first ten, and the misses by name. */
import type { JudgedQuery } from "./judged-query.ts";

/** A right answer further down counts as not found. */
export const DEPTH = 20;
const RECALL_DEPTH = 10;

export interface Judgement {
  query: JudgedQuery;
  /** Rank of the first right answer, from 1; null for none, or when something forbidden was shown. */
  rank: number | null;
  recall: number;
  /** What was shown first, and what should not have been shown at all. */
  first: readonly string[];
  forbidden: readonly string[];
}

export interface Figures {
  queries: number;
  mrr: number;
  recall: number;
}

/** `answer` is the ids found, best first. */
export function judgeAnswer(query: JudgedQuery, response: readonly string[]): Judgement {
  const relevant = new Set(query.relevant);
  const forbidden = response.slice(0, DEPTH).filter((id) => query.absent?.includes(id) === true);
  const index = response.slice(0, DEPTH).findIndex((id) => relevant.has(id));
  const found = new Set(response.slice(0, RECALL_DEPTH).filter((id) => relevant.has(id)));
  const failed = forbidden.length > 0;
  return {
    query,
    rank: failed || index === -1 ? null : index + 1,
    recall: failed ? 0 : found.size / Math.min(RECALL_DEPTH, relevant.size),
    first: response.slice(0, 3),
    forbidden,
  };
}

export function figuresOf(judgements: readonly Judgement[]): Figures {
  const mean = (value: (judgement: Judgement) => number) =>
    judgements.reduce((sum, judgement) => sum + value(judgement), 0) / Math.max(1, judgements.length);
  return {
    queries: judgements.length,
    mrr: mean(({ rank }) => (rank === null ? 0 : 1 / rank)),
    recall: mean(({ recall }) => recall),
  };
}

/** Figures of each group, the weakest first. */
export function figuresBy(
  judgements: readonly Judgement[],
  group: (query: JudgedQuery) => string,
): [name: string, figures: Figures][] {
  return [...Map.groupBy(judgements, ({ query }) => group(query))]
    .map(([name, members]): [string, Figures] => [name, figuresOf(members)])
    .toSorted(([a, x], [b, y]) => x.mrr - y.mrr || (a < b ? -1 : 1));
}

/** A line for each query whose first answer is not a right one, or that misses right ones. */
export function describeMisses(judgements: readonly Judgement[]): string[] {
  return judgements
    .filter(({ rank, recall }) => rank !== 1 || recall < 1)
    .map(({ query, rank, recall, first, forbidden }) => {
      const { ask, text, parameters, why, script, relevant } = query;
      const asked = [ask, JSON.stringify(text), ...Object.entries(parameters ?? {}).map((pair) => pair.join("="))];
      const shown = forbidden.length > 0 ? `must not show ${forbidden.join(", ")}` : `shown first: ${first.join(", ")}`;
      return `${why} (${script}) ${asked.join(" ")}: rank ${rank ?? "none"}, recall ${recall.toFixed(2)}; wanted ${relevant.slice(0, 3).join(", ")}; ${shown}`;
    });
}

export function describeFigures(name: string, { queries, mrr, recall }: Figures): string {
  return `${name.padEnd(20)} ${String(queries).padStart(4)} queries  MRR ${mrr.toFixed(3)}  recall@10 ${recall.toFixed(3)}`;
}
