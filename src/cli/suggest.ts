/** Names that someone may have meant, best first; none when nothing is near. */
export function suggest(word: string, names: readonly string[], limit = 3): string[] {
  const asked = word.toLowerCase();
  return names
    .map((name) => ({ name, distance: distanceTo(asked, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, asked.length * 0.4))
    .toSorted((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** People forget the platform before the operation, so the rest of a name counts as a name too. */
function distanceTo(word: string, name: string): number {
  const rest = name.slice(name.indexOf("/") + 1);
  const whole = edits(word, name);
  const partial = edits(word, rest);
  const contained = word.length >= 3 && name.includes(word) ? 1 : Number.POSITIVE_INFINITY;
  return Math.min(whole, partial, contained);
}

/** Insertions, deletions and replacements that turn one text into the other. */
function edits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
