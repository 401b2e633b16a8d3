/**
 * What of a record is searched: its words by field, the marks that filters look for, and the numbers that ranking
 * needs. Pure, so it is made where files are read, and the same for every store.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { RecordKind } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { DAY_S } from "#domain/time.ts";
import * as marks from "./filter-terms.ts";
import { foldWord, gramsOf, tokenize } from "./tokens.ts";

/** Fields are tokens with a space between. */
export interface SearchDocument {
  /** Title, names; with a bar between where there are several. */
  title: string;
  /** Hashtags and mentions, whole and as words. */
  tags: string;
  /** Caption, description, biography, address. */
  text: string;
  marks: string;
  /** Unix seconds; 0 when not known. */
  at: number;
  /** Logarithmic: how much attention it drew. */
  engagement: number;
  /** -1 when not known. */
  views: number;
  likes: number;
  author: string | null;
  language: string | null;
  country: string | null;
  /** 0 to 1023: how well it stands whatever is asked; the index is read from the best standing down. */
  standing: number;
}

interface Content {
  titles: (string | null)[];
  hashtags?: string[];
  texts?: (string | null)[];
  attention: number | undefined;
  at?: number | null;
  views?: number | undefined;
  likes?: number | undefined;
  author?: string | null;
  soundId?: string | null;
  language?: string | null;
  country?: string | null;
}

export function documentOf(kind: RecordKind, record: object): SearchDocument {
  switch (kind) {
    case "post":
      return documentFrom(postContent(record as Post));
    case "account": {
      const { name, displayName, bio, counters, language, country } = record as Account;
      const titles = [name === null ? null : `@${name}`, displayName];
      return documentFrom({ titles, texts: [bio], attention: counters.followers, language, country });
    }
    case "hashtag": {
      const { name, counters } = record as Hashtag;
      return documentFrom({ titles: [`#${name}`], attention: counters.posts ?? counters.views });
    }
    case "sound": {
      const { title, artistName, counters } = record as Sound;
      return documentFrom({ titles: [title, artistName], attention: counters.posts });
    }
    case "place": {
      const { name, city, address, counters } = record as Place;
      return documentFrom({ titles: [name, city], texts: [address], attention: counters.posts });
    }
    case "comment": {
      const { text, counters, publishedAt, authorId } = record as Comment;
      const { likes } = counters;
      return documentFrom({ titles: [], texts: [text], attention: likes, likes, at: publishedAt, author: authorId });
    }
  }
}

/** All that is spoken in one track is one document; the line is looked for when it is shown. */
export function subtitleDocument({ lines, language }: SubtitleTrack): SearchDocument {
  return documentFrom({ titles: [], texts: lines.map(({ text }) => text), attention: 0, language });
}

function postContent(post: Post): Content {
  const { title, text, hashtags, counters, publishedAt, authorId, soundId, language, country } = post;
  return {
    titles: [title],
    hashtags,
    texts: [text],
    attention: (counters.likes ?? 0) + 3 * (counters.comments ?? 0) + (counters.views ?? 0) / 20,
    at: publishedAt,
    views: counters.views,
    likes: counters.likes,
    author: authorId,
    soundId,
    language,
    country,
  };
}

function documentFrom(content: Content): SearchDocument {
  const { titles, hashtags = [], texts = [], author = null, soundId = null, language = null, country = null } = content;
  const tags = new Set<string>();
  const said = new Set<string>();
  const read = (text: string | null) => (text === null ? [] : readText(text, tags, said));
  const titleWords = titles.flatMap((title) => wholeAndWords(title, read(title)));
  for (const words of titleWords) if (words.length <= 12) said.add(marks.wholeTitle(words));
  for (const word of hashtags.flatMap((hashtag) => read(`#${hashtag}`))) tags.add(word);
  const textWords = texts.flatMap(read);
  if (titleWords.length === 0 && textWords.length <= 12) said.add(marks.wholeTitle(textWords));
  for (const word of titleWords.flat()) said.add(marks.inTitle(word));
  for (const word of tags) if (word[0] !== "#" && word[0] !== "@") said.add(marks.inTitle(word));
  const at = content.at ?? 0;
  const engagement = Math.log10(1 + Math.max(0, content.attention ?? 0));
  if (author !== null) said.add(marks.author(author));
  if (soundId !== null) said.add(marks.sound(soundId));
  if (language !== null && language !== "") said.add(marks.language(language));
  if (content.views !== undefined) said.add(marks.views(content.views));
  if (content.likes !== undefined) said.add(marks.likes(content.likes));
  for (const date of marks.dates(at)) said.add(date);
  return {
    title: titleWords.map((words) => words.join(" ")).join(BETWEEN_TITLES),
    tags: [...tags].join(" "),
    text: textWords.join(" "),
    marks: [...said].join(" "),
    at,
    engagement,
    views: content.views ?? -1,
    likes: content.likes ?? -1,
    author,
    language,
    country,
    standing: standingOf(engagement, content.at),
  };
}

/** Stands in no index: the words around it are. */
export const BETWEEN_TITLES = " | ";

/** A name is found as it is and as the words it is made of. */
function wholeAndWords(title: string | null, words: string[]): string[][] {
  const name = title === null ? undefined : /^[#@](\S+)$/u.exec(title)?.[1];
  const whole = name === undefined ? null : foldWord(name);
  return [...(whole === null || whole === "" || whole === words.join(" ") ? [] : [[whole]]), words].filter(
    ({ length }) => length > 0,
  );
}

/** The words in order. Hashtags and mentions are also kept whole among the tags, uncertain words by their characters among the marks. */
function readText(text: string, tags: Set<string>, said: Set<string>): string[] {
  return tokenize(text).flatMap(({ tag, words, whole }) => {
    if (tag !== null) tags.add(tag);
    if (tag !== null && words.length > 1) tags.add(tag.slice(1));
    for (const characters of gramsOf(whole)) said.add(marks.gram(characters));
    return words;
  });
}

const STEPS = 16;
const HIGHEST = 1023;
/** As much newer as ten times the attention is worth. */
const TENFOLD_S = 2 * 365 * DAY_S;
/** Posts whose time is not known stand as if they were from 2018. */
const TIME_UNKNOWN = 1_514_764_800;

/**
 * Attention and age in one number that does not change as time goes by. It is coarse on purpose: a few likes more do
 * not move a document in the index.
 */
function standingOf(engagement: number, at: number | null | undefined): number {
  const freshness = at === undefined ? 0 : (at ?? TIME_UNKNOWN) / TENFOLD_S;
  return Math.max(0, Math.min(HIGHEST, Math.floor((engagement + freshness) * STEPS)));
}
