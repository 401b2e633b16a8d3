/** The first key that an object of well-formed JSON has twice, or null. Parsers disagree on which of its values counts. */
export function findRepeatedKey(json: string): string | null {
  /** The keys of every open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const start = at;
      at = endOfString(json, start);
      if (!isFollowedByColon(json, at)) continue;
      const key = String(JSON.parse(json.slice(start, at + 1)));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
  }
  return null;
}

/** Where its second quote is. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

function isFollowedByColon(json: string, end: number): boolean {
  let at = end + 1;
  while (at < json.length && " \t\n\r".includes(json.charAt(at))) at++;
  return json[at] === ":";
}
