/** The first text of each key, in order. */
export function uniqueBy(texts: readonly string[], getKey: (text: string) => string): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = getKey(text);
    if (!byKey.has(key)) byKey.set(key, text);
  }
  return [...byKey.values()];
}
