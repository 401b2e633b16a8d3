import type { Provenance } from "./record.ts";

export interface SubtitleLine {
  startS: number;
  durationS: number;
  text: string;
}

/** The spoken words of one post in one language. */
export interface SubtitleTrack extends Provenance {
  postId: string;
  language: string;
  /** Made by the platform's speech recognition. */
  automatic: boolean;
  lines: SubtitleLine[];
}
