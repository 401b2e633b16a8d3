/** Combines the hand-written texts into captions, titles, comments and spoken lines about one subject. */
import { type City, cityName } from "./cities.ts";
import { at, type Random } from "./random.ts";
import { getTexts } from "./topics.ts";
import type { Language, Topic } from "./topics/topic.ts";
import { PHRASES } from "./phrases.ts";

const SENTENCE_END = /[.!?。！？؟、]$/;

/** What a post is about; its comments and subtitles share it. */
export interface Subject {
  topic: Topic;
  language: Language;
  city: City;
  /** Index into the topic's things, modulo their number in the language. */
  thing: number;
}

export function caption(random: Random, subject: Subject): string {
  const { openers, details } = getTexts(subject.topic, subject.language);
  const phrases = PHRASES[subject.language];
  const sentences = [random.pick(openers)];
  if (random.chance(0.85)) sentences.push(...random.sample(details, random.integer(1, 2)));
  if (random.chance(0.5)) sentences.push(random.pick(phrases.closers));
  return `${fill(sentences.join(phrases.space), subject)} ${emoji(random, subject.topic)}`;
}

/** Several paragraphs, for a long video. */
export function description(random: Random, subject: Subject): string {
  const { openers, details } = getTexts(subject.topic, subject.language);
  const phrases = PHRASES[subject.language];
  const paragraphs = [
    random.pick(openers),
    random.sample(details, random.integer(2, 4)).join(phrases.space),
    random.pick(phrases.closers),
  ];
  return fill(paragraphs.join("\n\n"), subject);
}

export function title(random: Random, subject: Subject): string {
  const text = fill(random.pick(getTexts(subject.topic, subject.language).titles), subject);
  return random.chance(0.2) ? `${text} ${random.pick(subject.topic.emoji)}` : text;
}

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
