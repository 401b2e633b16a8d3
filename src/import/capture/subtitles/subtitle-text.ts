import type { SubtitleLine } from "#domain/subtitle.ts";

export interface SubtitleText {
  lines: SubtitleLine[];
  /** Words appear one by one, as speech recognition writes them. */
  isRolling: boolean;
  /** Where the text itself names it. */
  language?: string | undefined;
}
