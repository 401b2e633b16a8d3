/** Phrases in one language that fit any topic: greetings, reactions, bios. */
export interface LanguagePhrases {
  /** Separates sentences. */
  space: string;
  /** Separates parts of a sentence. */
  comma: string;
  /** One to three words before a caption, so that no two of an account begin alike. */
  leads: string[];
  closers: string[];
  reactions: string[];
  remarks: string[];
  replies: string[];
  /** `{label}` is the topic, `{city}` the person's city. */
  bios: string[];
  /** Spoken lines for any video. */
  spoken: string[];
  tags: string[];
  /** Appended to a topic's tag to make rare ones. */
  tagEndings: string[];
  /** Alternative text of a photo. */
  altText: string;
}
