/**
 * The state of a paged search: the newest document when it started, and the documents returned so far. The client
 * carries it in the page token, so each match is returned once, whatever is written meanwhile, and no process keeps a
 * session.
 */
export interface SearchState {
  newest: number;
  /** Ascending. */
  returned: readonly number[];
  /** No record had all words, so the pages are of records with some of them. */
  isPartial?: boolean;
}

/** Delta-encoded, to be short enough for a URL. */
export function formatSearchState({ newest, returned, isPartial = false }: SearchState): string {
  const steps = returned.map((doc, index) => doc - (returned[index - 1] ?? 0));
  return (isPartial ? PARTIAL : "") + [newest, ...steps].map((number) => number.toString(36)).join(".");
}

const PARTIAL = "~";

/** Null if malformed. */
export function parseSearchState(text: unknown): SearchState | null {
  if (typeof text !== "string" || !/^~?[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11})*$/.test(text)) return null;
  const isPartial = text.startsWith(PARTIAL);
  const numbers = isPartial ? text.slice(PARTIAL.length) : text;
  const [newest = 0, ...steps] = numbers.split(".").map((number) => Number.parseInt(number, 36));
  let doc = 0;
  const returned = steps.map((step) => (doc += step));
  return isPartial ? { newest, returned, isPartial } : { newest, returned };
}

/** The state after these documents were returned too. */
export function withReturned(state: SearchState, docs: Iterable<number>): SearchState {
  return { ...state, returned: [...state.returned, ...docs].toSorted((a, b) => a - b) };
}
