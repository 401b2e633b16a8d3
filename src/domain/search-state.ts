/**
 * The state of a paged search: the newest document when it started, and the documents returned so far. The client
 * carries it in the page token, so each match is returned once, whatever is written meanwhile, and no process keeps a
 * session.
 */
export interface SearchState {
  newest: number;
  /** Ascending. */
  returned: readonly number[];
}

/** Delta-encoded, to be short enough for a URL. */
export function formatSearchState({ newest, returned }: SearchState): string {
  const steps = returned.map((doc, index) => doc - (returned[index - 1] ?? 0));
  return [newest, ...steps].map((number) => number.toString(36)).join(".");
}

/** Null if malformed. */
export function parseSearchState(text: unknown): SearchState | null {
  if (typeof text !== "string" || !/^[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11})*$/.test(text)) return null;
  const [newest = 0, ...steps] = text.split(".").map((number) => Number.parseInt(number, 36));
  let doc = 0;
  return { newest, returned: steps.map((step) => (doc += step)) };
}

/** The state after these documents were returned too. */
export function withReturned({ newest, returned }: SearchState, docs: Iterable<number>): SearchState {
  return { newest, returned: [...returned, ...docs].toSorted((a, b) => a - b) };
}
