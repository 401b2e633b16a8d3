/**
 * Splits text into tokens, the same for every store and every query. A token contains no space and no quote, so no
 * character of the text can reach an engine as syntax.
 */
import { fold } from "#domain/folding.ts";

/** A run between spaces and punctuation. */
export interface Token {
  /** The whole hashtag or mention with its sign, such as `#streetfood`; null for plain text. */
  tag: string | null;
  /** Its words in order: those of a hashtag, or of a run in a script without spaces. */
  words: string[];
  /** All of it, folded, without the sign. */
  whole: string;
}

/** A hashtag, a mention, a run of letters and digits, or an emoji with its joiners; with a faster pattern for ASCII. */
const ASCII_TOKEN = /#[a-zA-Z0-9_]+|@[a-zA-Z0-9_][a-zA-Z0-9_.]*|[a-zA-Z0-9_]+/g;
const TOKEN =
  /[#＃][\p{L}\p{N}\p{M}_]+|[@＠][\p{L}\p{N}_][\p{L}\p{N}\p{M}_.]*|[\p{L}\p{N}\p{M}_]+|\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|[\ufe0f\p{Emoji_Modifier}])*/gu;

// oxlint-disable-next-line no-control-regex -- the class is "all but ASCII"
const NON_ASCII = /[^\x00-\x7f]/;

/** From Thai on. All scripts before it in Unicode put spaces between words. */
const AFTER_SPACED_SCRIPTS = /[\u0e00-\uffff]/;

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Runs without certain word boundaries: unspaced scripts, and Hangul, which joins particles and compounds to words. */
const NGRAM_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}\p{M}]+/gu;
const HAN = /\p{Script=Han}/u;
const KATAKANA = /[\u30a1-\u30f6]/g;
/** Katakana as hiragana. */
export function foldKana(text: string): string {
  return text.replace(KATAKANA, toHiragana);
}

const toHiragana = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 0x60);

/**
 * Letters with several common spellings: plain letters where a keyboard lacks the right one, Persian, Urdu and Hindi
 * variants of the same sound, and the sigma that ends a Greek word, which may be unfinished. Applied to words only, never
 * to ids or keys.
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
  ς: "σ",
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
  "\u06a9": "\u0643",
  "\u0901": "\u0902",
  "\u093c": "",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");

/** Some letters decompose into a space and a mark; a word must not contain separators. */
const SEPARATING = /[\s":=|]/gu;

function foldWord(text: string): string {
  if (!NON_ASCII.test(text)) return fold(text);
  return fold(text)
    .replace(SEPARATING, "")
    .replace(LETTER, (letter) => LETTERS[letter] ?? "");
}

/** For display: Greek has a sigma of its own at the end of a word. */
export function withFinalSigma(words: string): string {
  return words.replace(/(?<=\p{L})σ(?!\p{L})/gu, "ς");
}

/** A name as one token. */
export function foldWhole(name: string): string {
  return truncate(foldWord(name));
}

const EMOJI_VARIATION = /[\ufe0f\p{Emoji_Modifier}]/gu;

/** Between the words of a hashtag: `StreetFood`, `street_food`, `top10`. */
const WORD_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|_+/u;

/** Longer runs are not words; truncating them keeps noise from filling the index. */
const MAX_TOKEN = 64;

let segmenter: Intl.Segmenter | undefined;

export function tokenize(text: string): Token[] {
  const found: Token[] = [];
  for (const run of text.match(NON_ASCII.test(text) ? TOKEN : ASCII_TOKEN) ?? []) {
    const sign = run[0];
    if (sign === "#" || sign === "＃") {
      const name = run.slice(1);
      const whole = foldWord(name);
      const words = WORD_BOUNDARY.test(name)
        ? name.split(WORD_BOUNDARY).flatMap((word) => segmentWord(foldWord(word)))
        : segmentWord(whole);
      if (whole !== "") found.push({ tag: truncate(`#${whole}`), words, whole });
    } else if (sign === "@" || sign === "＠") {
      const whole = foldWord(stripTrailingDots(run.slice(1)));
      if (whole !== "")
        found.push({ tag: truncate(`@${whole}`), words: whole.split(/[._]+/).flatMap(segmentWord), whole });
    } else {
      const whole = foldWord(run);
      const words = segmentWord(whole);
      if (words.length > 0) found.push({ tag: null, words, whole });
    }
  }
  return found;
}

/** The dot after a mention may end the sentence. */
function stripTrailingDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === ".") end--;
  return name.slice(0, end);
}

function segmentWord(word: string): string[] {
  if (word === "") return [];
  if (!AFTER_SPACED_SCRIPTS.test(word)) return [truncate(word)];
  if (!UNSPACED.test(word)) {
    const plain = word.replace(EMOJI_VARIATION, "");
    return plain === "" ? [] : [truncate(plain)];
  }
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  const words: string[] = [];
  for (const { segment } of segmenter.segment(word)) if (segment.trim() !== "") words.push(truncate(segment));
  return words;
}

/** Arabic writes the article, "and", "so", "with", "like" and "for" as one with the word that follows. */
const ARABIC_PREFIXES = ["", "\u0627\u0644", "\u0648", "\u0641", "\u0628", "\u0643", "\u0644"].flatMap((prefix) =>
  prefix === "" || prefix.length > 1
    ? prefix
    : [prefix, prefix === "\u0644" ? "\u0644\u0644" : `${prefix}\u0627\u0644`],
);
const ARABIC_WORD = /^[\u0620-\u06ff]{3,}$/;
/** Prefixes with the article; a single letter at the start mostly belongs to the word. */
const ARABIC_ARTICLE = /^(?:[\u0648\u0641\u0628\u0643]?\u0627\u0644|\u0644\u0644)(?=.{3})/;

/** The forms of a word that are searched with it: itself, and an Arabic word with and without its prefixes. */
export function listVariants(word: string): string[] {
  if (!ARABIC_WORD.test(word)) return [word];
  const stem = word.replace(ARABIC_ARTICLE, "");
  return [...new Set([word, ...ARABIC_PREFIXES.map((prefix) => prefix + stem)])];
}

/** What longer forms of an unfinished word begin with. */
export function listPrefixes(word: string): string[] {
  return ARABIC_WORD.test(word) && !ARABIC_ARTICLE.test(word) ? [word, `\u0627\u0644${word}`] : [word];
}

/**
 * Bigrams and trigrams of runs without certain word boundaries, so that a part of a compound is found too; also single
 * Han characters, since one can be a word. Katakana is folded to hiragana.
 */
export function listNgrams(whole: string): string[] {
  const grams: string[] = [];
  for (const characters of ngramRuns(whole)) {
    let end = 0;
    for (const character of characters) {
      end++;
      if (HAN.test(character)) grams.push(character);
      if (end >= 2) grams.push(characters.slice(end - 2, end).join(""));
      if (end >= 3) grams.push(characters.slice(end - 3, end).join(""));
    }
  }
  return grams;
}

/** The fewest n-grams that cover a query's text: the longest are the rarest. */
export function listCoveringNgrams(whole: string): string[] {
  const grams: string[] = [];
  for (const characters of ngramRuns(whole)) {
    const size = Math.min(3, characters.length);
    const [first = ""] = characters;
    if (size === 1 && !HAN.test(first)) continue;
    for (let start = 0; start < characters.length; start += size) {
      const from = Math.min(start, characters.length - size);
      grams.push(characters.slice(from, from + size).join(""));
    }
  }
  return [...new Set(grams)];
}

/** Whether n-grams stand for the word, or for a part of it. */
export function hasNgramRun(word: string): boolean {
  return ngramRuns(word).length > 0;
}

function ngramRuns(whole: string): string[][] {
  if (!AFTER_SPACED_SCRIPTS.test(whole)) return [];
  return Array.from(foldKana(whole).matchAll(NGRAM_RUN), ([run]) => Array.from(run));
}

function truncate(token: string): string {
  return token.length <= MAX_TOKEN ? token : token.slice(0, MAX_TOKEN).toWellFormed().replaceAll("\ufffd", "");
}
