/**
 * What demo posts are about. Each topic is written by hand in each of its languages; the generators only combine the
 * parts, so that caption, hashtags and comments of a post fit together.
 */
export type Language = "en" | "es" | "ar" | "ja" | "hi";

export interface Topic {
  /** Latin and without spaces, for URLs. */
  key: string;
  category: { id: string; name: string };
  emoji: string[];
  texts: { en: TopicTexts } & { [Other in Language]?: TopicTexts };
}

/** With the shortest and the longest video that it fits, in seconds, where it promises a length. */
export type Title = string | readonly [text: string, shortestS: number, longestS: number];

/** `{thing}` stands for one of `things`, `{city}` for the city's name in the language of the text. */
export interface TopicTexts {
  /** As used in a bio. */
  label: string;
  /** Without `#`; the first one is on nearly every post. */
  tags: string[];
  things: string[];
  titles: Title[];
  openers: string[];
  details: string[];
  comments: string[];
}
