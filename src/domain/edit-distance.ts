/**
 * Letters inserted, deleted, replaced or swapped with their neighbour; Infinity for more than `max`. At the first
 * difference each edit is tried, so the cost is exponential in `max`: keep it small.
 */
export function editDistance(
  one: ArrayLike<string>,
  other: ArrayLike<string>,
  max: number,
  at = 0,
  otherAt = 0,
): number {
  while (at < one.length && one[at] === other[otherAt]) {
    at++;
    otherAt++;
  }
  const [rest, otherRest] = [one.length - at, other.length - otherAt];
  if (Math.abs(rest - otherRest) > max) return Infinity;
  if (rest === 0 || otherRest === 0) return Math.max(rest, otherRest);
  if (max === 0) return Infinity;
  const isSwapped = one[at] === other[otherAt + 1] && one[at + 1] === other[otherAt];
  return (
    1 +
    Math.min(
      editDistance(one, other, max - 1, at + 1, otherAt + 1),
      editDistance(one, other, max - 1, at + 1, otherAt),
      editDistance(one, other, max - 1, at, otherAt + 1),
      isSwapped ? editDistance(one, other, max - 1, at + 2, otherAt + 2) : Infinity,
    )
  );
}
