/**
 * What a search's next page must know of the pages before it: the newest document that was there when the search began,
 * and the documents given since. With it a walk gives each match once, whatever is written meanwhile and whichever
 * process answers, and no process has to remember anything.
 */
export interface SearchState {
  newest: number;
  /** Rising. */
  returned: readonly number[];
}

/** Short enough to travel in an address: the differences of rising numbers. */
export function writeSearchState({ newest, returned: given }: SearchState): string {
  const steps = given.map((doc, index) => doc - (given[index - 1] ?? 0));
  return [newest, ...steps].map((number) => number.toString(36)).join(".");
}

/** Null for a text that is none. */
export function readSearchState(text: unknown): SearchState | null {
  if (typeof text !== "string" || !/^[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11})*$/.test(text)) return null;
  const [newest = 0, ...steps] = text.split(".").map((number) => Number.parseInt(number, 36));
  let doc = 0;
  return { newest, returned: steps.map((step) => (doc += step)) };
}

/** The state after more was given. */
export function withReturned({ newest, returned: given }: SearchState, docs: Iterable<number>): SearchState {
  return { newest, returned: [...given, ...docs].toSorted((a, b) => a - b) };
}
