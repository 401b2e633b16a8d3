/** Words by their end: compounds such as `kartoffelsuppe` are found by `suppe`. */

/** Only in scripts whose letters make words with spaces between them: Latin to Arabic. */
const ENDING = /^[a-z\u0370-\u06ff]{4,24}$/;
const MIN_ENDING = 4;
/** No shorter word is looked up by its end. */
export const MIN_COMPOUND = 7;

export function isEnding(word: string): boolean {
  return ENDING.test(word);
}

/** Length of the shortest word that is found by an ending: short parts end many words by chance. */
export function minLengthWith(ending: string): number {
  return ending.length + (ending.length < 6 ? 3 : 1);
}

/** The key of a word that is looked up by its end; null if it is not. Called for every word that is counted. */
export function endingKey(word: string): string | null {
  if (word.length < MIN_COMPOUND || word[0] === "#" || word[0] === "@") return null;
  return ENDING.test(word.slice(-MIN_ENDING)) ? reverse(word) : null;
}

/** By UTF-16 units; what it is compared with is reversed in the same way. */
export function reverse(word: string): string {
  let reversed = "";
  for (let index = word.length - 1; index >= 0; index--) reversed += word[index];
  return reversed;
}
