/** Shortens a JSON value to a length: a model's context is small, and half of a JSON text is of no use. */

export interface Fitted {
  value: unknown;
  /** What was left out, in words. */
  omitted: string[];
}

const MAX_TEXT = 300;

interface FoundList {
  path: string;
  list: unknown[];
  length: number;
}

/** Lists lose their last items, the longest list first; then long texts lose their end. */
export function fitLength(value: unknown, maxLength: number): Fitted {
  let length = lengthOf(value);
  if (length <= maxLength) return { value, omitted: [] };
  const copy: unknown = structuredClone(value);
  const totals = new Map<string, number>();
  const kept = new Map<string, number>();
  while (length > maxLength) {
    const longest = listsIn(copy).reduce<FoundList | null>((a, b) => (a === null || b.length > a.length ? b : a), null);
    if (longest === null) break;
    const { path, list } = longest;
    const share = Math.max(0, longest.length - (length - maxLength)) / longest.length;
    if (!totals.has(path)) totals.set(path, list.length);
    list.length = Math.max(1, Math.min(list.length - 1, Math.floor(list.length * share)));
    kept.set(path, list.length);
    length = lengthOf(copy);
  }
  const omitted = [...totals].map(
    ([path, total]) => `${total - (kept.get(path) ?? 0)} of ${total} items of ${path || "the list"}`,
  );
  if (length <= maxLength) return { value: copy, omitted };
  const shortened = shortenTexts(copy);
  if (lengthOf(shortened) <= maxLength) return { value: shortened, omitted: [...omitted, "the ends of long texts"] };
  return { value: null, omitted: ["everything"] };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** All lists of two items or more. Lists below lists are found once for each item: a path is for people. */
function listsIn(value: unknown, path = ""): FoundList[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([name, child]) =>
    listsIn(child, Array.isArray(value) ? path : path === "" ? name : `${path}.${name}`),
  );
  return Array.isArray(value) && value.length > 1 ? [{ path, list: value, length: lengthOf(value) }, ...below] : below;
}

function shortenTexts(value: unknown): unknown {
  if (typeof value === "string")
    return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT).toWellFormed()}…`;
  if (Array.isArray(value)) return value.map(shortenTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, shortenTexts(child)]));
}
