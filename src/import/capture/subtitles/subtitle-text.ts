import type { SubtitleLine } from "#domain/subtitle.ts";

export interface SubtitleText {
  lines: SubtitleLine[];
  /** The words come one by one, as speech recognition writes them. */
  rolling: boolean;
  /** Where the text itself says. */
  language?: string | undefined;
}
