/** A question that a person asks of search, with the answers that the same person would call right. */

export type Script =
  | "Latin"
  | "Cyrillic"
  | "Greek"
  | "Arabic"
  | "Hebrew"
  | "Devanagari"
  | "Thai"
  | "Han"
  | "Japanese"
  | "Hangul"
  | "Emoji";

export type Reason =
  | "word"
  | "words"
  | "exact title"
  | "exact name"
  | "common words"
  | "title over caption"
  | "phrase"
  | "not"
  | "or"
  | "from"
  | "hashtag"
  | "hashtag as words"
  | "mention"
  | "sound"
  | "filter"
  | "prefix"
  | "typo"
  | "accent"
  | "case"
  | "marks"
  | "width"
  | "part of a compound"
  | "emoji"
  | "order"
  | "preference"
  | "window"
  | "comment"
  | "subtitle"
  | "literal";

/** `hashtag` is the photo-sharing look-up of one hashtag; `everything` is the search over platforms and kinds. */
export type Operation = "shortvideo" | "longvideo" | "photoshare" | "hashtag" | "everything";

export interface JudgedQuery {
  ask: Operation;
  text: string;
  /** Beside the text, in the operation's own words. */
  parameters?: Record<string, string>;
  /** Ids of the right answers, all equally right. An order is judged by naming only what belongs first. */
  relevant: readonly string[];
  /** Ids that no answer may show: a query that shows one of them counts as failed. */
  absent?: readonly string[];
  why: Reason;
  script: Script;
}

/** A judge for one script: queries are written as lines of a table. */
export function judge(script: Script) {
  return (
    why: Reason,
    ask: Operation,
    text: string,
    relevant: readonly string[],
    more: Pick<JudgedQuery, "parameters" | "absent"> = {},
  ): JudgedQuery => ({ ask, text, relevant, why, script, ...more });
}
