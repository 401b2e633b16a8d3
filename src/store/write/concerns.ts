/** The concerns whose rows other operations affect, in the order in which their verbs are called. */
import { present } from "#domain/present.ts";
import { charts } from "#store/charts/concern.ts";
import { comments } from "#store/comments/concern.ts";
import { counters } from "#store/counters/concern.ts";
import { follows } from "#store/follows/concern.ts";
import { jobs } from "#store/jobs/concern.ts";
import { lists } from "#store/lists/concern.ts";
import { records } from "#store/records/concern.ts";
import { search } from "#store/search/concern.ts";
import { subtitles } from "#store/subtitles/concern.ts";
import { trends } from "#store/trends/concern.ts";
import { undo } from "#store/undo/concern.ts";
import { watches } from "#store/watches/concern.ts";
import type { Concern, DependentKind, KeyedRows } from "./concern.ts";

export const CONCERNS: readonly Concern[] = [
  // Before lists and counters, whose rows say what refers to an account that gets another id.
  records,
  comments,
  subtitles,
  follows,
  charts,
  lists,
  counters,
  search,
  undo,
  // After lists: hashtags and sounds without posts leave the rankings.
  trends,
  jobs,
  watches,
];

/** The concerns with a verb. */
export function withVerb<Verb extends keyof Concern>(verb: Verb): Required<Pick<Concern, Verb>>[] {
  return CONCERNS.filter((concern): concern is Required<Pick<Concern, Verb>> => concern[verb] !== undefined);
}

const BY_KIND = new Map<string, KeyedRows>(withVerb("rows").map(({ rows }) => [rows.kind, rows]));

export function isDependent(kind: string): kind is DependentKind {
  return BY_KIND.has(kind);
}

export function keyedRowsOf(kind: DependentKind): KeyedRows {
  return present(BY_KIND.get(kind));
}
