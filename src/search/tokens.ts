/**
 * Text to tokens. Every store indexes exactly these tokens and every query goes through the same function, so stores
 * agree and no character of a person's text ever reaches an engine as syntax: a token holds no space and no quote.
 */
import { fold } from "#domain/folding.ts";

/** What stands between spaces and punctuation. */
export interface Token {
  /** The whole hashtag or mention with its mark, such as `#streetfood`; null for plain text. */
  tag: string | null;
  /** Its words in order: those a hashtag is made of, those that an unspaced script runs together. */
  words: string[];
  /** All of it, folded, without a mark. */
  whole: string;
}

/** A hashtag, a mention, a run of letters and digits, or an emoji with its joiners. Most text is ASCII: it is cut faster. */
const ASCII_PIECE = /#[a-zA-Z0-9_]+|@[a-zA-Z0-9_][a-zA-Z0-9_.]*|[a-zA-Z0-9_]+/g;
const PIECE =
  /[#＃][\p{L}\p{N}\p{M}_]+|[@＠][\p{L}\p{N}_][\p{L}\p{N}\p{M}_.]*|[\p{L}\p{N}\p{M}_]+|\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|[\ufe0f\p{Emoji_Modifier}])*/gu;

// oxlint-disable-next-line no-control-regex -- the class is "all but ASCII"
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Before Thai in Unicode all scripts put spaces between words: Latin, Greek, Cyrillic, Hebrew, Arabic, those of India. */
const BEYOND_SPACED = /[\u0e00-\uffff]/;

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Runs whose words are not certain: unspaced scripts, and Hangul, which writes particles and compounds as one word. */
const UNCERTAIN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}\p{M}]+/gu;
const HAN = /\p{Script=Han}/u;
const KATAKANA = /[\u30a1-\u30f6]/g;
const toHiragana = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 0x60);

/**
 * Letters that people write in more than one way: by their plain neighbours where a keyboard lacks them, and the forms
 * that Persian, Urdu and Hindi hands use for the same sound. Only words are folded so far: an id or a key keeps its letters.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
  "\u06a9": "\u0643",
  "\u0901": "\u0902",
  "\u093c": "",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/** Some letters are written as a space with a mark when they are taken apart: no word holds what separates words. */
const SEPARATING = /[\s":=|]/gu;

export function foldWord(text: string): string {
  if (!BEYOND_ASCII.test(text)) return fold(text);
  return fold(text)
    .replace(SEPARATING, "")
    .replace(LETTER, (letter) => LETTERS[letter] ?? "");
}

const EMOJI_VARIATION = /[\ufe0f\p{Emoji_Modifier}]/gu;

/** Where a hashtag's or a name's words meet: `StreetFood`, `street_food`, `top10`. */
const JOINT = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|_+/u;

/** Longer runs are no words; they are cut so that one line of noise cannot fill an index. */
const MAX_TOKEN = 64;

let segmenter: Intl.Segmenter | undefined;

export function tokenize(text: string): Token[] {
  const found: Token[] = [];
  for (const piece of text.match(BEYOND_ASCII.test(text) ? PIECE : ASCII_PIECE) ?? []) {
    const mark = piece[0];
    if (mark === "#" || mark === "＃") {
      const name = piece.slice(1);
      const whole = foldWord(name);
      const words = JOINT.test(name) ? name.split(JOINT).flatMap((word) => wordsOf(foldWord(word))) : wordsOf(whole);
      if (whole !== "") found.push({ tag: cut(`#${whole}`), words, whole });
    } else if (mark === "@" || mark === "＠") {
      const whole = foldWord(withoutEndingDots(piece.slice(1)));
      if (whole !== "") found.push({ tag: cut(`@${whole}`), words: whole.split(/[._]+/).flatMap(wordsOf), whole });
    } else {
      const whole = foldWord(piece);
      const words = wordsOf(whole);
      if (words.length > 0) found.push({ tag: null, words, whole });
    }
  }
  return found;
}

/** A sentence may end after a name. */
function withoutEndingDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === ".") end--;
  return name.slice(0, end);
}

function wordsOf(word: string): string[] {
  if (word === "") return [];
  if (!BEYOND_SPACED.test(word)) return [cut(word)];
  if (!UNSPACED.test(word)) {
    const plain = word.replace(EMOJI_VARIATION, "");
    return plain === "" ? [] : [cut(plain)];
  }
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  const words: string[] = [];
  for (const { segment } of segmenter.segment(word)) if (segment.trim() !== "") words.push(cut(segment));
  return words;
}

/**
 * Neighbouring characters where words are not certain, two and three together, so that a part in the middle of a
 * compound is found too; Han characters also one by one, since one can be a word. The two kana are one here.
 */
export function gramsOf(whole: string): string[] {
  const grams: string[] = [];
  for (const characters of uncertainRuns(whole)) {
    for (let end = 1; end <= characters.length; end++) {
      if (HAN.test(characters[end - 1] as string)) grams.push(characters[end - 1] as string);
      if (end >= 2) grams.push(characters.slice(end - 2, end).join(""));
      if (end >= 3) grams.push(characters.slice(end - 3, end).join(""));
    }
  }
  return grams;
}

/** As few of them as cover what is looked for: the longest are the rarest. */
export function coveringGrams(whole: string): string[] {
  const grams: string[] = [];
  for (const characters of uncertainRuns(whole)) {
    const size = Math.min(3, characters.length);
    if (size === 1 && !HAN.test(characters[0] as string)) continue;
    for (let begin = 0; begin < characters.length; begin += size) {
      const from = Math.min(begin, characters.length - size);
      grams.push(characters.slice(from, from + size).join(""));
    }
  }
  return [...new Set(grams)];
}

function uncertainRuns(whole: string): string[][] {
  if (!BEYOND_SPACED.test(whole)) return [];
  return Array.from(whole.replace(KATAKANA, toHiragana).matchAll(UNCERTAIN), ([run]) => Array.from(run));
}

function cut(token: string): string {
  return token.length <= MAX_TOKEN ? token : token.slice(0, MAX_TOKEN).toWellFormed().replaceAll("\ufffd", "");
}
