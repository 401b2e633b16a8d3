/** Hashtags in captions: `#` and letters of any script, digits, underscores or emoji. */
import { uniqueBy } from "#domain/unique-by.ts";

/** Several may follow each other without spaces. */
const HASHTAGS =
  /(?<![\p{L}\p{N}_&/])(?:[#＃](?:[\p{L}\p{M}\p{N}_·]|\p{Extended_Pictographic}|\u200c|\u200d|\ufe0f){1,150})+/gu;

export function findHashtags(text: string): string[] {
  return uniqueHashtags(Array.from(text.matchAll(HASHTAGS)).flatMap(([run]) => run.split(/[#＃]/).slice(1)));
}

/** As first written; case does not matter. */
export function uniqueHashtags(names: readonly string[]): string[] {
  return uniqueBy(names, (name) => name.normalize("NFC").toLowerCase());
}
