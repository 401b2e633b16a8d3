/** Typing mistakes: which known word was meant. What one query may cost is bounded, however many words it has. */
import { perfCounters } from "#domain/perf-counters.ts";
import type { KnownWord, SearchPartition, SearchEngine } from "./engine.ts";

/** Shorter words have too many neighbours. */
const SHORTEST = 3;
/** Two mistakes are forgiven in long words only. */
const SHORTEST_FOR_TWO = 6;
/** In letters as they are typed, of which a Korean syllable has two or three: longer ones are no words that people misspell. */
const LONGEST = 24;
/** So many known words that begin alike are compared with a misspelt one, */
const NEIGHBOURHOOD = 5_000;
/** and so many with all misspelt words of a query. */
const MAX_COMPARED = 2 * NEIGHBOURHOOD;
/** Spellings that are looked up for all words of a query: a word of 24 letters has 1,300 in Latin, 2,700 in Devanagari. */
const MAX_SPELLINGS = 3_000;

/** The letters that a slip of the finger may have put in or left out: those of the word's own script. */
const ALPHABETS: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/\p{Script=Greek}/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/\p{Script=Arabic}/u, "ابتثجحخدذرزسشصضطظعغفقكلمنهويةءئؤىپچژگ"],
  [/\p{Script=Hebrew}/u, "אבגדהוזחטיכלמנסעפצקרשתםןףץך"],
  [/\p{Script=Devanagari}/u, "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्"],
  // The letters that syllables are made of.
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
 * For each word the nearest known one: one mistake away, else two; of equally near ones the most written. Null when a
 * word has none near, or when finding out would cost more than one query may.
 */
export async function nearestWords(
  engine: SearchEngine,
  scope: SearchPartition,
  words: readonly string[],
): Promise<Map<string, string> | null> {
  if (!words.every(isCorrectable)) return null;
  const nearest = new Map<string, string>();
  let spellingsLeft = MAX_SPELLINGS;
  let comparedLeft = MAX_COMPARED;
  for (const word of words) {
    const spellings = spellingsOf(word);
    spellingsLeft -= spellings.length;
    if (spellingsLeft < 0) return null;
    perfCounters.lookups += spellings.length;
    let found = best(await engine.wordsAmong(scope, spellings));
    if (found === null && Array.from(word).length >= SHORTEST_FOR_TWO) {
      const beginning = Array.from(word).slice(0, 2).join("");
      const around = await engine.wordsBeginning(scope, beginning, Math.min(NEIGHBOURHOOD, comparedLeft));
      comparedLeft -= around.length;
      perfCounters.compared += around.length;
      found = best(withinTwo(word, around));
    }
    if (found === null) return null;
    nearest.set(word, found);
  }
  return nearest;
}

/** Of the words that were asked for last: a query is corrected in one scope after another. */
const recent = new Map<string, readonly string[]>();
const MAX_RECENT = 16;

function spellingsOf(word: string): readonly string[] {
  const made = recent.get(word);
  if (made !== undefined) return made;
  const spellings = oneAway(word);
  perfCounters.spellings += spellings.length;
  recent.set(word, spellings);
  if (recent.size > MAX_RECENT) recent.delete(recent.keys().next().value as string);
  return spellings;
}

function isCorrectable(word: string): boolean {
  return Array.from(word).length >= SHORTEST && lettersOf(withoutMark(word)).length <= LONGEST;
}

function best(words: KnownWord[]): string | null {
  let found: KnownWord | null = null;
  for (const word of words) {
    if (found === null || word.docs > found.docs || (word.docs === found.docs && word.word < found.word)) found = word;
  }
  return found?.word ?? null;
}

/** Every text that one letter left out, put in, exchanged or swapped with its neighbour makes of the word. */
export function oneAway(word: string): string[] {
  const plain = withoutMark(word);
  const mark = word.slice(0, word.length - plain.length);
  const letters = Array.from(lettersOf(plain));
  const alphabet = Array.from(ALPHABETS.find(([script]) => script.test(word))?.[1] ?? "");
  const found = new Set<string>();
  let before = "";
  for (let at = 0; at <= letters.length; at++) {
    const [letter = "", next = ""] = letters.slice(at, at + 2);
    const after = letters.slice(at + 1).join("");
    for (const other of lettersThatFit(alphabet, letters[at - 1], letter)) found.add(before + other + letter + after);
    if (letter === "") break;
    found.add(before + after);
    for (const other of lettersThatFit(alphabet, letters[at - 1], next)) found.add(before + other + after);
    if (next !== "") found.add(before + next + letter + after.slice(next.length));
    before += letter;
  }
  found.delete(before);
  found.delete("");
  return Array.from(found, (text) => mark + text.normalize("NFC"));
}

/** A hashtag's or a mention's mark is no letter. */
function withoutMark(word: string): string {
  return word.replace(/^[#@]/u, "");
}

/** Of a Korean syllable, the vowel follows the first consonant and the last consonant the vowel: no word is written otherwise. */
function lettersThatFit(alphabet: readonly string[], before: string | undefined, after: string): readonly string[] {
  if (alphabet[0] !== FIRST_CONSONANT) return alphabet;
  return alphabet.filter((letter) => isWritable(before, letter) && isWritable(letter, after));
}

function isWritable(before: string | undefined, letter: string): boolean {
  if (VOWEL.test(letter)) return before !== undefined && CONSONANT.test(before);
  return !LAST_CONSONANT.test(letter) || (before !== undefined && VOWEL.test(before));
}

/** One after the other: of most words the text itself is that already. */
type Letters = string | readonly string[];

/** Korean syllables, and what takes two UTF-16 units. */
const SEVERAL_IN_ONE = /[\u1100-\u11ff\ua960-\ua97f\uac00-\udfff]/;

/** What one stroke puts there: a Korean syllable is several. */
function lettersOf(word: string): Letters {
  return SEVERAL_IN_ONE.test(word) ? Array.from(/\p{Script=Hangul}/u.test(word) ? word.normalize("NFD") : word) : word;
}

const FARTHEST = 2;

function withinTwo(word: string, known: readonly KnownWord[]): KnownWord[] {
  const letters = lettersOf(word);
  return known.filter(
    // A letter has at most two UTF-16 units, a syllable one.
    (other) =>
      Math.abs(other.word.length - word.length) <= 2 * FARTHEST &&
      lettersApart(letters, lettersOf(other.word), FARTHEST) <= FARTHEST,
  );
}

/** Letters left out, put in, exchanged, or swapped with the neighbour; Infinity for more than two. */
export function distance(one: string, other: string): number {
  return lettersApart(lettersOf(one), lettersOf(other), FARTHEST);
}

/** From these letters on. At the first difference each mistake is tried: with at most two of them that is a handful of ways. */
function lettersApart(one: Letters, other: Letters, most: number, at = 0, otherAt = 0): number {
  while (at < one.length && one[at] === other[otherAt]) {
    at++;
    otherAt++;
  }
  const [rest, otherRest] = [one.length - at, other.length - otherAt];
  if (Math.abs(rest - otherRest) > most) return Infinity;
  if (rest === 0 || otherRest === 0) return Math.max(rest, otherRest);
  if (most === 0) return Infinity;
  const swapped = one[at] === other[otherAt + 1] && one[at + 1] === other[otherAt];
  return (
    1 +
    Math.min(
      lettersApart(one, other, most - 1, at + 1, otherAt + 1),
      lettersApart(one, other, most - 1, at + 1, otherAt),
      lettersApart(one, other, most - 1, at, otherAt + 1),
      swapped ? lettersApart(one, other, most - 1, at + 2, otherAt + 2) : Infinity,
    )
  );
}
