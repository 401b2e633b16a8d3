/** Hashtags as people write them into a caption: letters of any script, digits, underscores and emoji after `#`. */

const HASHTAG =
  /(?<![\p{L}\p{N}_&/])[#＃]((?:[\p{L}\p{M}\p{N}_·]|\p{Extended_Pictographic}|\u200c|\u200d|\ufe0f){1,150})/gu;

/** As first written, each once, without regard to case. */
export function hashtagsIn(text: string): string[] {
  return eachOnce(Array.from(text.matchAll(HASHTAG), ([, name = ""]) => name));
}

export function eachOnce(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = name.normalize("NFC").toLowerCase();
    if (!byKey.has(key)) byKey.set(key, name);
  }
  return [...byKey.values()];
}
