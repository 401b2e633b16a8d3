/**
 * Remembers what was made for a key. Keys such as language tags are chosen by callers, so the memory is bounded: past
 * the limit the oldest entry makes room.
 */
export function boundedMemo<Made>(limit: number, make: (key: string) => Made): (key: string) => Made {
  const memory = new Map<string, Made>();
  return (key) => {
    const known = memory.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    if (memory.size >= limit) {
      const [oldest] = memory.keys();
      if (oldest !== undefined) memory.delete(oldest);
    }
    memory.set(key, made);
    return made;
  };
}
