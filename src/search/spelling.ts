/** Corrects misspelt words to known ones. The cost of one query is bounded, however many words it has. */
import { editDistance } from "#domain/edit-distance.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import type { KnownWord, SearchPartition, SearchEngine } from "./engine.ts";

/** Shorter words have too many similar ones. Counted in typed letters: a Korean syllable has two or three. */
const MIN_LETTERS = 3;
/** Shorter words are corrected by one edit only: two in six letters often make another word. */
const MIN_LETTERS_FOR_TWO_EDITS = 7;
/** Longer words are not corrected. */
const MAX_LETTERS = 24;
/** Known words of a partition with the same beginning that are compared with a misspelt one. */
const MAX_COMPARED_PER_WORD = 5_000;
/** The same for all words of a query. */
const MAX_COMPARED = 2 * MAX_COMPARED_PER_WORD;
/** Spellings looked up for all words of a query: a word of 24 letters has 1,300 in Latin, 2,700 in Devanagari. */
const MAX_SPELLINGS = 3_000;

/** Parts of words looked up for all words of a query: a word of 24 letters has 38. */
const MAX_SPLIT_PARTS = 80;

const HANGUL = /\p{Script=Hangul}/u;

/** Letters that may have been omitted or replaced: those of the word's script. */
const ALPHABETS: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/\p{Script=Greek}/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/\p{Script=Arabic}/u, "ابتثجحخدذرزسشصضطظعغفقكلمنهويةءئؤىپچژگ"],
  [/\p{Script=Hebrew}/u, "אבגדהוזחטיכלמנסעפצקרשתםןףץך"],
  [/\p{Script=Devanagari}/u, "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्"],
  [HANGUL, hangulLetters()],
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
  partitions: readonly SearchPartition[],
  words: readonly string[],
): Promise<Map<string, string> | null> {
  if (!words.every(isCorrectable)) return null;
  const spellings: string[][] = [];
  let spellingsLeft = MAX_SPELLINGS;
  for (const word of words) {
    const ofWord = spellingsOneEditAway(word);
    perfCounters.spellingsGenerated += ofWord.length;
    spellingsLeft -= ofWord.length;
    if (spellingsLeft < 0) return null;
    spellings.push(ofWord);
  }
  const tried = spellings.flat();
  perfCounters.searchTermsLookedUp += tried.length * partitions.length;
  const known = sumDocs(await engine.filterKnownWords(partitions, tried));
  const nearest = words.map((_, index) => mostUsed((spellings[index] ?? []).flatMap((word) => known.get(word) ?? [])));
  const distant = words.filter((_, index) => nearest[index] === null);
  if (distant.some((word) => countLetters(word) < MIN_LETTERS_FOR_TWO_EDITS)) return null;
  const similar = distant.length === 0 ? [] : await listSimilar(engine, partitions, distant);
  const found = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const spelling = nearest[index] ?? mostUsed(withinMaxEdits(word, similar[distant.indexOf(word)] ?? []));
    if (spelling === null) return null;
    found.set(word, spelling);
  }
  return found;
}

/**
 * Maps each word to the two known words that it may be made of, as a phrase: `ironman` is searched as `"iron man"`. Null
 * if a word has none.
 */
export async function splitWords(
  engine: SearchEngine,
  partitions: readonly SearchPartition[],
  words: readonly string[],
): Promise<Map<string, string> | null> {
  const splits = words.map(listSplits);
  const parts = [...new Set(splits.flat(2))];
  if (splits.some(({ length }) => length === 0) || parts.length > MAX_SPLIT_PARTS) return null;
  perfCounters.searchTermsLookedUp += parts.length * partitions.length;
  const known = sumDocs(await engine.filterKnownWords(partitions, parts));
  const uses = (split: readonly string[]) => Math.min(...split.map((part) => known.get(part)?.docs ?? 0));
  const found = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const [best] = (splits[index] ?? []).toSorted((a, b) => uses(b) - uses(a));
    if (best === undefined || uses(best) === 0) return null;
    found.set(word, `"${best.join(" ")}"`);
  }
  return found;
}

/** Of each word, into two of at least three letters; none for hashtags and mentions. */
function listSplits(word: string): [string, string][] {
  const letters = Array.from(word);
  if (letters.length > MAX_LETTERS || stripTagSign(word) !== word) return [];
  return Array.from({ length: Math.max(0, letters.length - 2 * MIN_LETTERS + 1) }, (_, index) => {
    const at = index + MIN_LETTERS;
    return [letters.slice(0, at).join(""), letters.slice(at).join("")];
  });
}

/**
 * Known words with the same first two letters, or the same first Korean syllable, as each word; all words of a query share
 * the limit.
 */
async function listSimilar(
  engine: SearchEngine,
  partitions: readonly SearchPartition[],
  words: readonly string[],
): Promise<KnownWord[][]> {
  const limit = Math.min(MAX_COMPARED_PER_WORD, Math.floor(MAX_COMPARED / words.length));
  const ranges = words.flatMap((word) => {
    const [first = "", second = ""] = word;
    const prefix = HANGUL.test(first) ? first : first + second;
    return partitions.map(({ platform, kind }) => ({ platform, kind, prefix, limit }));
  });
  const found = await engine.listWordsByPrefix(ranges);
  perfCounters.wordsCompared += found.reduce((sum, known) => sum + known.length, 0);
  return words.map((_, index) => [
    ...sumDocs(found.slice(index * partitions.length, (index + 1) * partitions.length)).values(),
  ]);
}

/** Each word once, with its documents in all partitions. */
function sumDocs(found: readonly KnownWord[][]): Map<string, KnownWord> {
  const known = new Map<string, KnownWord>();
  for (const { word, docs } of found.flat()) known.set(word, { word, docs: docs + (known.get(word)?.docs ?? 0) });
  return known;
}

function isCorrectable(word: string): boolean {
  return countLetters(word) >= MIN_LETTERS && countLetters(word) <= MAX_LETTERS;
}

function countLetters(word: string): number {
  return lettersOf(stripTagSign(word)).length;
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
  return COMPOSED.test(word) ? Array.from(HANGUL.test(word) ? word.normalize("NFD") : word) : word;
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
