/** The items at the same places of two lists of the same length. */
export function zip<First, Second>(first: readonly First[], second: readonly Second[]): [First, Second][] {
  if (first.length !== second.length) throw new Error(`${first.length} items cannot be paired with ${second.length}`);
  const others = second.values();
  return first.flatMap((item) => {
    const other = others.next();
    return other.done === true ? [] : [[item, other.value]];
  });
}
