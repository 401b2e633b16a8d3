/** Memoizes at most `limit` values, since clients choose the keys, such as language tags. Evicts the oldest. */
export function memoizeBounded<Value>(limit: number, create: (key: string) => Value): (key: string) => Value {
  const cache = new Map<string, Value>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = create(key);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= limit) cache.delete(oldest);
    cache.set(key, value);
    return value;
  };
}
