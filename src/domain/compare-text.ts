/** The same order on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
