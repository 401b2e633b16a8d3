/**
 * The search document of a record: its words by field, its filter terms and the numbers that ranking needs. Pure, so
 * the import computes it once and every store indexes the same document.
 */
import { canonicalLanguage } from "#domain/language.ts";
import type { Post } from "#domain/post.ts";
import type { RecordKind } from "#domain/record.ts";
import type { Records } from "#domain/records.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { DAY_S } from "#domain/time.ts";
import * as terms from "./filter-terms.ts";
import { foldWhole, listNgrams, tokenize } from "./tokens.ts";

/** Raise it whenever the tokens of a document change: stores then rebuild their index when they are opened. */
export const DOCUMENTS_VERSION = 8;

/** The text fields are tokens, separated by spaces. */
export interface SearchDocument {
  /** Title or names; several are separated by TITLE_SEPARATOR. */
  title: string;
  /**
   * Hashtags and mentions, each whole and by its words; then, after a TAGS_SEPARATOR each, the author's names and the
   * keywords.
   */
  tags: string;
  /** Caption, description, biography, address. */
  text: string;
  filterTerms: string;
  /** Unix seconds; 0 if unknown. */
  at: number;
  /** log10 of likes, comments and views, or of what counts for this kind. */
  engagement: number;
  /** -1 if unknown. */
  views: number;
  likes: number;
  author: string | null;
  language: string | null;
  country: string | null;
  /** 0 to 1023, independent of the query; the index is read from the highest down. */
  staticRank: number;
}

/** What a document is made of. */
export interface Content {
  titles: (string | null)[];
  hashtags?: string[];
  authorNames?: string[];
  keywords?: string[];
  texts?: (string | null)[];
  attention: number | undefined;
  at?: number | null;
  views?: number | undefined;
  likes?: number | undefined;
  author?: string | null;
  coauthors?: readonly string[] | undefined;
  soundId?: string | null;
  language?: string | null;
  country?: string | null;
}

export function documentOf(kind: RecordKind, record: object): SearchDocument {
  return documentFrom(contentOf(kind, record));
}

/** One document per track; the matching line is found when the result is rendered. */
export function subtitleDocument(track: Pick<SubtitleTrack, "lines" | "language">): SearchDocument {
  return documentFrom(subtitleContent(track));
}

const CONTENTS: { readonly [Kind in RecordKind]: (record: Records[Kind]) => Content } = {
  post: postContent,
  account({ name, displayName, bio, counters, language, country }) {
    const titles = [name === null ? null : `@${name}`, displayName];
    return { titles, texts: [bio], attention: counters.followers, language, country };
  },
  hashtag: ({ name, counters }) => ({ titles: [`#${name}`], attention: counters.posts ?? counters.views }),
  sound: ({ title, artistName, counters }) => ({ titles: [title, artistName], attention: counters.posts }),
  place: ({ name, city, address, counters }) => ({
    titles: [name, city],
    texts: [address],
    attention: counters.posts,
  }),
  comment: ({ text, counters: { likes }, publishedAt, authorId }) => ({
    titles: [],
    texts: [text],
    attention: likes,
    likes,
    at: publishedAt,
    author: authorId,
  }),
};

/** Records come from the store as JSON of which only the kind is known. */
export function contentOf(kind: RecordKind, record: object): Content {
  return CONTENTS[kind](record as never);
}

export function subtitleContent({ lines, language }: Pick<SubtitleTrack, "lines" | "language">): Content {
  return { titles: [], texts: lines.map(({ text }) => text), attention: 0, language };
}

function postContent(post: Post): Content {
  const { title, text, hashtags, counters, publishedAt, authorId, coauthorIds, soundId, language, country } = post;
  return {
    titles: [title],
    hashtags,
    authorNames: post.authorNames ?? [],
    keywords: post.keywords ?? [],
    texts: [text],
    attention: (counters.likes ?? 0) + 3 * (counters.comments ?? 0) + (counters.views ?? 0) / 20,
    at: publishedAt,
    views: counters.views,
    likes: counters.likes,
    author: authorId,
    coauthors: coauthorIds,
    soundId,
    language,
    country,
  };
}

export function boundedNumbersOf({ at, views, likes }: Content): Pick<SearchDocument, "at" | "views" | "likes"> {
  return { at: at ?? 0, views: views ?? -1, likes: likes ?? -1 };
}

/** The filter terms that need no words. */
export function listFieldTerms(content: Content): string[] {
  const { author = null, soundId = null, language = null, views, likes } = content;
  return [
    ...(author === null ? [] : [terms.author(author)]),
    ...(content.coauthors ?? []).map(terms.author),
    ...(soundId === null ? [] : [terms.sound(soundId)]),
    ...(language === null || language === "" ? [] : terms.languages(language)),
    ...(views === undefined ? [] : [terms.views(views)]),
    ...(likes === undefined ? [] : [terms.likes(likes)]),
    ...terms.dates(content.at ?? 0),
  ];
}

export function documentFrom(content: Content): SearchDocument {
  const { titles, hashtags = [], texts = [], authorNames = [], keywords = [] } = content;
  const { author = null, language = null, country = null } = content;
  const tags = new Set<string>();
  const filterTerms = new Set<string>();
  const read = (text: string | null) => (text === null ? [] : readText(text, tags, filterTerms));
  const titleWords = titles.flatMap((title) => wholeAndWords(title, read(title)));
  for (const words of titleWords) if (words.length <= 12) filterTerms.add(terms.wholeTitle(words));
  for (const word of hashtags.flatMap((hashtag) => read(`#${hashtag}`))) tags.add(word);
  const textWords = texts.flatMap(read);
  if (titleWords.length === 0 && textWords.length <= 12) filterTerms.add(terms.wholeTitle(textWords));
  for (const word of titleWords.flat()) filterTerms.add(terms.inTitle(word));
  for (const word of tags) if (word[0] !== "#" && word[0] !== "@") filterTerms.add(terms.inTitle(word));
  // Neither is the post's own text: no hashtag or mention in them counts, and no title strategy finds them.
  const readAside = (text: string) => {
    const name = ONE_RUN.test(text) ? `#${text}` : text;
    return wholeAndWords(name, readText(name, new Set(), filterTerms)).flat();
  };
  const nameWords = [...new Set(authorNames.flatMap(readAside))];
  const keywordWords = keywords.flatMap(readAside);
  const engagement = Math.log10(1 + Math.max(0, content.attention ?? 0));
  for (const term of listFieldTerms(content)) filterTerms.add(term);
  return {
    title: titleWords.map((words) => words.join(" ")).join(TITLE_SEPARATOR),
    tags: joinTags([[...tags], nameWords, keywordWords]),
    text: textWords.join(" "),
    filterTerms: [...filterTerms].join(" "),
    ...boundedNumbersOf(content),
    engagement,
    author,
    // Facets and preferences compare it.
    language: language === null ? null : canonicalLanguage(language),
    country,
    staticRank: computeStaticRank(engagement, content.at),
  };
}

/** Not indexed: only the words around it are. */
export const TITLE_SEPARATOR = " | ";

/** A token of `tags`, and within TITLE_SEPARATOR; never indexed. */
export const TAGS_SEPARATOR = "|";

/** Removed from `tags`, it leaves the tokens separated by single spaces. */
export const TAGS_GAP = `${TAGS_SEPARATOR} `;

/** Written like a hashtag, it matches whole and by its words. */
const ONE_RUN = /^[\p{L}\p{N}_.]+$/u;

/** Without separators at the end. */
function joinTags(parts: readonly string[][]): string {
  const used = parts.findLastIndex((words) => words.length > 0) + 1;
  return parts
    .slice(0, used)
    .flatMap((words, index) => (index === 0 ? words : [TAGS_SEPARATOR, ...words]))
    .join(" ");
}

/** A name matches whole, by the words it is made of, and, with an underscore, as it is split where its sign is left out. */
function wholeAndWords(title: string | null, words: string[]): string[][] {
  const name = title === null ? undefined : /^[#@](\S+)$/u.exec(title)?.[1];
  if (name === undefined) return words.length === 0 ? [] : [words];
  const unsigned = name.includes("_") ? tokenize(name).flatMap((token) => token.words) : words;
  const forms = [[foldWhole(name)], unsigned, words];
  return [...new Map(forms.map((form) => [form.join(" "), form])).values()].filter(([word = ""]) => word !== "");
}

/**
 * Returns the words in order. Adds whole hashtags and mentions to `tags`, and n-grams of text without certain word
 * boundaries to `filterTerms`.
 */
function readText(text: string, tags: Set<string>, filterTerms: Set<string>): string[] {
  return tokenize(text).flatMap(({ tag, words, whole }) => {
    if (tag !== null) tags.add(tag);
    if (tag !== null && words.length > 1) tags.add(tag.slice(1));
    // Typed without its sign, a name is split at dots, not at underscores.
    for (const part of tag?.slice(1).split(".") ?? []) if (part.includes("_")) tags.add(part);
    for (const characters of listNgrams(whole)) filterTerms.add(terms.ngram(characters));
    return words;
  });
}

/** Steps for each tenfold of attention. */
const RANK_STEPS = 16;
export const MAX_STATIC_RANK = 1023;
/** A post this much newer ranks like one with ten times the attention. */
const AGE_OF_TENFOLD_S = 8 * 365 * DAY_S;
/** Posts of unknown date rank as if from 2018. */
const UNKNOWN_DATE = 1_514_764_800;

/**
 * Attention and publication date in one number that does not change over time. Coarse on purpose: a few more likes
 * must not move a document in the index.
 */
function computeStaticRank(engagement: number, at: number | null | undefined): number {
  const freshness = at === undefined ? 0 : (at ?? UNKNOWN_DATE) / AGE_OF_TENFOLD_S;
  return Math.max(0, Math.min(MAX_STATIC_RANK, Math.floor((engagement + freshness) * RANK_STEPS)));
}
