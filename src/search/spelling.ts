/** Corrects misspelt words to known ones. The cost of one query is bounded, however many words it has. */
import { editDistance } from "#domain/edit-distance.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import type { KnownWord, SearchPartition, SearchEngine } from "./engine.ts";

/** Shorter words have too many similar ones. */
const MIN_LETTERS = 3;
/** Shorter words are corrected by one edit only. */
const MIN_LETTERS_FOR_TWO_EDITS = 6;
/** Longer words are not corrected. Counted in typed letters: a Korean syllable has two or three. */
const MAX_LETTERS = 24;
/** Known words with the same first two letters that are compared with a misspelt one. */
const MAX_COMPARED_PER_WORD = 5_000;
/** The same for all words of a query. */
const MAX_COMPARED = 2 * MAX_COMPARED_PER_WORD;
/** Spellings looked up for all words of a query: a word of 24 letters has 1,300 in Latin, 2,700 in Devanagari. */
const MAX_SPELLINGS = 3_000;

/** Letters that may have been inserted or omitted: those of the word's script. */
const ALPHABETS: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/\p{Script=Greek}/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/\p{Script=Arabic}/u, "ابتثجحخدذرزسشصضطظعغفقكلمنهويةءئؤىپچژگ"],
  [/\p{Script=Hebrew}/u, "אבגדהוזחטיכלמנסעפצקרשתםןףץך"],
  [/\p{Script=Devanagari}/u, "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्"],
  [/\p{Script=Hangul}/u, hangulLetters()],
  [/\p{Script=Latin}/u, "abcdefghijklmnopqrstuvwxyz"],
];

const FIRST_CONSONANT = "\u1100";
const CONSONANT = /[\u1100-\u1112]/;
const VOWEL = /[\u1161-\u1175]/;
const LAST_CONSONANT = /[\u11a8-\u11c2]/;

function hangulLetters(): string {
  const ranges = [
    [0x1100, 0x1112],
    [0x1161, 0x1175],
    [0x11a8, 0x11c2],
  ] as const;
  return ranges
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, step) => String.fromCharCode(first + step)),
    )
    .join("");
}

/**
 * Maps each word to the most used known word one edit away, else two. Null if a word has none, or if the query exceeds
 * its budget.
 */
export async function nearestWords(
  engine: SearchEngine,
  partition: SearchPartition,
  words: readonly string[],
): Promise<Map<string, string> | null> {
  if (!words.every(isCorrectable)) return null;
  const nearest = new Map<string, string>();
  let spellingsLeft = MAX_SPELLINGS;
  let comparedLeft = MAX_COMPARED;
  for (const word of words) {
    const spellings = getSpellings(word);
    spellingsLeft -= spellings.length;
    if (spellingsLeft < 0) return null;
    perfCounters.searchTermsLookedUp += spellings.length;
    let found = mostUsed(await engine.filterKnownWords(partition, spellings));
    if (found === null && Array.from(word).length >= MIN_LETTERS_FOR_TWO_EDITS) {
      const prefix = Array.from(word).slice(0, 2).join("");
      const similar = await engine.listWordsByPrefix(partition, prefix, Math.min(MAX_COMPARED_PER_WORD, comparedLeft));
      comparedLeft -= similar.length;
      perfCounters.wordsCompared += similar.length;
      found = mostUsed(withinMaxEdits(word, similar));
    }
    if (found === null) return null;
    nearest.set(word, found);
  }
  return nearest;
}

/** A query is corrected in one partition after another, so the spellings of its words are cached. */
const recentSpellings = new Map<string, readonly string[]>();
const MAX_RECENT_SPELLINGS = 16;

function getSpellings(word: string): readonly string[] {
  const cached = recentSpellings.get(word);
  if (cached !== undefined) return cached;
  const spellings = spellingsOneEditAway(word);
  perfCounters.spellingsGenerated += spellings.length;
  recentSpellings.set(word, spellings);
  if (recentSpellings.size > MAX_RECENT_SPELLINGS)
    recentSpellings.delete(recentSpellings.keys().next().value as string);
  return spellings;
}

function isCorrectable(word: string): boolean {
  return Array.from(word).length >= MIN_LETTERS && lettersOf(stripTagSign(word)).length <= MAX_LETTERS;
}

function mostUsed(words: KnownWord[]): string | null {
  let found: KnownWord | null = null;
  for (const word of words) {
    if (found === null || word.docs > found.docs || (word.docs === found.docs && word.word < found.word)) found = word;
  }
  return found?.word ?? null;
}

/** Every spelling with one letter inserted, deleted, replaced or swapped with its neighbour. */
export function spellingsOneEditAway(word: string): string[] {
  const plain = stripTagSign(word);
  const sign = word.slice(0, word.length - plain.length);
  const letters = Array.from(lettersOf(plain));
  const alphabet = Array.from(ALPHABETS.find(([script]) => script.test(word))?.[1] ?? "");
  const found = new Set<string>();
  let before = "";
  for (let at = 0; at <= letters.length; at++) {
    const [letter = "", next = ""] = letters.slice(at, at + 2);
    const after = letters.slice(at + 1).join("");
    for (const other of fittingLetters(alphabet, letters[at - 1], letter)) found.add(before + other + letter + after);
    if (letter === "") break;
    found.add(before + after);
    for (const other of fittingLetters(alphabet, letters[at - 1], next)) found.add(before + other + after);
    if (next !== "") found.add(before + next + letter + after.slice(next.length));
    before += letter;
  }
  found.delete(before);
  found.delete("");
  return Array.from(found, (text) => sign + text.normalize("NFC"));
}

/** Removes the `#` or `@` of a hashtag or mention. */
function stripTagSign(word: string): string {
  return word.replace(/^[#@]/u, "");
}

/** In a Korean syllable the vowel follows the first consonant, and the last consonant the vowel. */
function fittingLetters(alphabet: readonly string[], before: string | undefined, after: string): readonly string[] {
  if (alphabet[0] !== FIRST_CONSONANT) return alphabet;
  return alphabet.filter((letter) => isWritable(before, letter) && isWritable(letter, after));
}

function isWritable(before: string | undefined, letter: string): boolean {
  if (VOWEL.test(letter)) return before !== undefined && CONSONANT.test(before);
  return !LAST_CONSONANT.test(letter) || (before !== undefined && VOWEL.test(before));
}

/** Korean syllables and surrogate pairs: characters that are not one letter in one UTF-16 unit. */
const COMPOSED = /[\u1100-\u11ff\ua960-\ua97f\uac00-\udfff]/;

/** The letters as typed: a Korean syllable is several. For most words the string itself. */
export function lettersOf(word: string): ArrayLike<string> {
  return COMPOSED.test(word) ? Array.from(/\p{Script=Hangul}/u.test(word) ? word.normalize("NFD") : word) : word;
}

const MAX_EDITS = 2;

function withinMaxEdits(word: string, known: readonly KnownWord[]): KnownWord[] {
  const letters = lettersOf(word);
  return known.filter(
    // Cheap check first: a letter has at most two UTF-16 units, a syllable one.
    (other) =>
      Math.abs(other.word.length - word.length) <= 2 * MAX_EDITS &&
      editDistance(letters, lettersOf(other.word), MAX_EDITS) <= MAX_EDITS,
  );
}
