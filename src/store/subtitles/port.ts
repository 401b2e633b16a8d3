import type { SubtitleTrack } from "#domain/subtitle.ts";

export interface SubtitleReader {
  listSubtitleLanguages(postId: string): Promise<Pick<SubtitleTrack, "language" | "automatic">[]>;
  getSubtitles(postId: string, language: string): Promise<SubtitleTrack | null>;
}
