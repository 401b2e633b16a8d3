/**
 * What people in the demo world publish about. A topic is written by hand in each language it is told in; the
 * generators only put the parts together, so that caption, tags and comments of a post belong to each other.
 */
export type Language = "en" | "es" | "ar" | "ja" | "hi";

export interface Topic {
  /** Latin and without spaces: used in addresses. */
  key: string;
  category: { id: string; name: string };
  emoji: string[];
  texts: { en: TopicTexts } & { [Other in Language]?: TopicTexts };
}

/** `{thing}` stands for one of `things`, `{city}` for a town's name in the language of the text. */
export interface TopicTexts {
  /** As it stands in a bio. */
  label: string;
  /** Without `#`; the first one is on nearly every post. */
  tags: string[];
  things: string[];
  titles: string[];
  openers: string[];
  details: string[];
  comments: string[];
}
