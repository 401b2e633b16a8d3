/** A string and whether it is a key, or a bracket. */
const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g;

/** The first key that an object of well-formed JSON has twice, or null. Parsers disagree on which of its values counts. */
export function findRepeatedKey(json: string): string | null {
  /** The keys of every open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (const [token, text = "", colon] of json.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const key = text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
  }
  return null;
}
