/**
 * Text to tokens. Every store indexes exactly these tokens and every query goes through the same function, so stores
 * agree and no character of a person's text ever reaches an engine as syntax: a token holds no space and no quote.
 */
import { fold } from "#domain/folding.ts";

/** A hashtag, a mention, a run of letters and digits, or an emoji with its joiners. */
const PIECE =
  /[#＃][\p{L}\p{N}\p{M}_]+|[@＠][\p{L}\p{N}_][\p{L}\p{N}\p{M}_.]*|[\p{L}\p{N}\p{M}_]+|\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|[\ufe0f\p{Emoji_Modifier}])*/gu;

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const EMOJI_VARIATION = /[\ufe0f\p{Emoji_Modifier}]/gu;

/** Longer runs are no words; they are cut so that one line of noise cannot fill an index. */
const MAX_TOKEN = 64;

let segmenter: Intl.Segmenter | undefined;

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    const mark = piece[0];
    if (mark === "#" || mark === "＃") {
      const word = fold(piece.slice(1));
      tokens.push(cut(`#${word}`));
      pushWords(tokens, word);
    } else if (mark === "@" || mark === "＠") {
      const name = fold(piece.slice(1)).replace(/\.+$/, "");
      tokens.push(cut(`@${name}`));
      for (const part of name.split(".")) pushWords(tokens, part);
    } else {
      pushWords(tokens, fold(piece));
    }
  }
  return tokens;
}

function pushWords(tokens: string[], word: string): void {
  if (word === "") return;
  if (!UNSPACED.test(word)) {
    const plain = word.replace(EMOJI_VARIATION, "");
    if (plain !== "") tokens.push(cut(plain));
    return;
  }
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  for (const { segment } of segmenter.segment(word)) {
    if (segment.trim() !== "") tokens.push(cut(segment));
  }
}

function cut(token: string): string {
  return token.length <= MAX_TOKEN ? token : token.slice(0, MAX_TOKEN).toWellFormed().replaceAll("\ufffd", "");
}
