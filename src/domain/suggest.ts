import { editDistance } from "./edit-distance.ts";

/** Longer words may have more typos, up to this many. */
const MAX_EDITS = 4;
/** No name is nearly as long. */
const MAX_LENGTH = 200;

/** Suggests the names nearest to a mistyped one, best first. */
export function suggest(word: string, names: readonly string[], limit = 3): string[] {
  const typed = word.slice(0, MAX_LENGTH).toLowerCase();
  const maxEdits = Math.max(2, Math.min(MAX_EDITS, Math.floor(typed.length * 0.4)));
  return names
    .map((name) => ({ name, distance: distanceTo(typed, name.toLowerCase(), maxEdits) }))
    .filter(({ distance }) => distance <= maxEdits)
    .toSorted((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** The platform before the operation is often forgotten, so the rest of a name counts as a name too. */
function distanceTo(word: string, name: string, maxEdits: number): number {
  const rest = name.slice(name.indexOf("/") + 1);
  const whole = editDistance(word, name, maxEdits);
  // Worse than the whole of another name.
  const partial = rest === name ? whole : editDistance(word, rest, maxEdits) + 0.5;
  const contained = word.length >= 3 && name.includes(word) ? 1 : Infinity;
  return Math.min(whole, partial, contained);
}
