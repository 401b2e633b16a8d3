/** Combines the hand-written texts into captions, titles, comments and spoken lines about one subject. */
import { type City, cityName } from "./cities.ts";
import { at, type Random } from "./random.ts";
import { getTexts } from "./topics.ts";
import type { Language, Topic } from "./topics/topic.ts";
import { PHRASES } from "./phrases.ts";
import type { LanguagePhrases } from "./phrases/language-phrases.ts";

const SENTENCE_END = /[.!?。！？؟、]$/;

/** What a post is about; its comments and subtitles share it. */
export interface Subject {
  topic: Topic;
  language: Language;
  city: City;
  /** Index into the topic's things, modulo their number in the language. */
  thing: number;
}

/** `begun`: how the texts of the same author begin so far. */
export function caption(random: Random, subject: Subject, begun: Set<string>): string {
  const { openers, details } = getTexts(subject.topic, subject.language);
  const phrases = PHRASES[subject.language];
  const opening = uniqueOpening(random, begun, phrases, () => fill(random.pick(openers), subject));
  const sentences: string[] = [];
  if (random.chance(0.85)) sentences.push(...random.sample(details, random.integer(1, 2)));
  if (random.chance(0.5)) sentences.push(random.pick(phrases.closers));
  const rest = sentences.map((sentence) => fill(sentence, subject));
  return `${[opening, ...rest].join(phrases.space)} ${emoji(random, subject.topic)}`;
}

/** Several paragraphs, for a long video. */
export function description(random: Random, subject: Subject, begun: Set<string>): string {
  const { openers, details } = getTexts(subject.topic, subject.language);
  const phrases = PHRASES[subject.language];
  const paragraphs = [
    uniqueOpening(random, begun, phrases, () => fill(random.pick(openers), subject)),
    fill(random.sample(details, random.integer(2, 4)).join(phrases.space), subject),
    random.pick(phrases.closers),
  ];
  return paragraphs.join("\n\n");
}

/** A text that begins unlike all others of its author; another lead before it if it must. */
function uniqueOpening(
  random: Random,
  begun: Set<string>,
  { leads, space }: LanguagePhrases,
  draw: () => string,
): string {
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const text = attempt < PLAIN_DRAWS ? draw() : random.pick(leads) + space + draw();
    if (isNewBeginning(begun, text)) return text;
  }
  throw new Error("not enough openings for the posts of one account");
}

const PLAIN_DRAWS = 2;
const MAX_DRAWS = 2_000;

/**
 * Adds the beginning of a text to those of its author; false if it was there. A beginning is the first five words, or, in
 * scripts without spaces, as many characters as a short sentence has.
 */
export function isNewBeginning(begun: Set<string>, text: string): boolean {
  const beginning = text
    .split(/\s+/)
    .slice(0, 5)
    .join(" ")
    .slice(0, /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}「]/u.test(text) ? 12 : undefined);
  if (begun.has(beginning)) return false;
  begun.add(beginning);
  return true;
}

export interface TitleChoice {
  text: string;
  /** The shortest and the longest video that it fits, in seconds; null if any. */
  fits: [shortestS: number, longestS: number] | null;
}

/** One that fits the length that is wanted, and begins unlike all others of its author; numbered if it must be. */
export function title(random: Random, subject: Subject, begun: Set<string>, isShort: boolean): TitleChoice {
  const { titles } = getTexts(subject.topic, subject.language);
  const fitting = titles.filter((one) => !isShort || typeof one === "string");
  for (let attempt = 0; ; attempt++) {
    const picked = random.pick(fitting);
    const [template, ...fits] = typeof picked === "string" ? [picked] : picked;
    const filled = fill(template, subject);
    // A series counts its parts.
    const text = attempt < PLAIN_TITLES ? filled : `#${attempt - PLAIN_TITLES + 2} ${filled}`;
    if (!isNewBeginning(begun, text)) continue;
    const [shortestS, longestS] = fits;
    return {
      text: random.chance(0.2) ? `${text} ${random.pick(subject.topic.emoji)}` : text,
      fits: shortestS === undefined || longestS === undefined ? null : [shortestS, longestS],
    };
  }
}

const PLAIN_TITLES = 8;

export function comment(random: Random, subject: Subject): string {
  const phrases = PHRASES[subject.language];
  const parts: string[] = [];
  const kind = random.fraction();
  if (kind < 0.62) {
    if (random.chance(0.3)) parts.push(random.pick(phrases.reactions));
    parts.push(fill(random.pick(getTexts(subject.topic, subject.language).comments), subject));
    if (random.chance(0.12)) parts.push(random.pick(phrases.remarks));
  } else {
    parts.push(random.pick(phrases.reactions));
    if (kind < 0.9) parts.push(random.pick(phrases.remarks));
  }
  const text = parts.reduce(
    (before, next) => before + (SENTENCE_END.test(before) ? phrases.space : phrases.comma) + next,
  );
  return random.chance(0.45) ? `${text} ${emoji(random, subject.topic)}` : text;
}

export function reply(random: Random, subject: Subject): string {
  const text = random.pick(PHRASES[subject.language].replies);
  return random.chance(0.35) ? `${text} ${random.pick(subject.topic.emoji)}` : text;
}

/** A few common ones, and sometimes a rare one. */
export function hashtags(random: Random, subject: Subject): string[] {
  const { tags } = getTexts(subject.topic, subject.language);
  const phrases = PHRASES[subject.language];
  const chosen = new Set<string>();
  const main = at(tags, 0);
  if (subject.language === "en" || random.chance(0.93)) chosen.add(main);
  for (const tag of random.sample(tags.slice(1), random.integer(1, 4))) chosen.add(tag);
  if (random.chance(0.3)) chosen.add(random.pick(phrases.tags));
  if (random.chance(0.16)) chosen.add(main + random.pick(phrases.tagEndings));
  if (random.chance(0.14)) chosen.add(toCityTag(random.pick(tags), subject));
  return [...chosen];
}

export function keywords(random: Random, subject: Subject, tags: readonly string[]): string[] {
  const texts = getTexts(subject.topic, subject.language);
  const words = [...tags, texts.label, cityName(subject.city, subject.language), getThing(subject)];
  return random.sample([...new Set(words)], random.integer(4, words.length));
}

/** Spoken sentences: a greeting first, a farewell last. */
export function spokenLines(random: Random, subject: Subject, count: number): string[] {
  const { openers, details } = getTexts(subject.topic, subject.language);
  const { spoken } = PHRASES[subject.language];
  const middle = [...openers, ...details, ...spoken.slice(1, -2)];
  const lines = [at(spoken, 0)];
  while (lines.length < count - 2)
    lines.push(...random.sample(middle, Math.min(middle.length, count - 2 - lines.length)));
  lines.push(...spoken.slice(-2));
  return lines.map((line) => fill(line, subject));
}

export function altText(subject: Subject): string {
  return fill(PHRASES[subject.language].altText, subject);
}

function getThing({ topic, language, thing }: Subject): string {
  const { things } = getTexts(topic, language);
  return at(things, thing % things.length);
}

function fill(template: string, subject: Subject): string {
  const thing = getThing(subject);
  return template
    .replaceAll(/(?<=^|[.!?] )\{thing\}/g, capitalise(thing))
    .replaceAll("{thing}", thing)
    .replaceAll("{city}", cityName(subject.city, subject.language));
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toCityTag(tag: string, { city, language }: Subject): string {
  const name = cityName(city, language).toLowerCase();
  return language === "ar" ? `${tag}_${name}` : tag + name.replaceAll(" ", "");
}

function emoji(random: Random, topic: Topic): string {
  return random.sample(topic.emoji, random.integer(1, 2)).join("");
}
