/** How people of one language speak whatever the topic: greetings, reactions, bios. */
export interface LanguagePhrases {
  /** Between two sentences. */
  space: string;
  /** Between two parts of a sentence. */
  comma: string;
  closers: string[];
  reactions: string[];
  remarks: string[];
  replies: string[];
  /** `{label}` is the topic's, `{city}` the person's home. */
  bios: string[];
  /** Said in any video. */
  spoken: string[];
  tags: string[];
  /** Joined to a topic's tag they make the rare ones. */
  tagEndings: string[];
  /** Description of a photo for those who cannot see it. */
  altText: string;
}
