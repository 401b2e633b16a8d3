/** Which of a video's subtitle tracks answers a request. */
import type { SubtitleTrack } from "#domain/subtitle.ts";

export type TrackName = Pick<SubtitleTrack, "language" | "automatic">;

/** The track in an asked language; null when none is held. */
export function trackInLanguage(tracks: readonly TrackName[], language: string): TrackName | null {
  const asked = language.toLowerCase();
  const held = (matches: (candidate: string) => boolean) =>
    writtenByPeopleFirst(tracks).find((track) => matches(track.language.toLowerCase()));
  return (
    held((candidate) => candidate === asked) ??
    // "en" is content with en-GB, and "en-GB" with en; "zh-Hant" is not content with zh-Hans.
    held((candidate) => candidate.startsWith(`${asked}-`)) ??
    held((candidate) => asked.startsWith(`${candidate}-`)) ??
    null
  );
}

/** The track for a caller who names no language: the first preferred language that is held, else the first of all. */
export function preferredTrack(tracks: readonly TrackName[], preferred: readonly (string | null)[]): TrackName | null {
  for (const language of preferred) {
    const track = language === null ? null : trackInLanguage(tracks, language);
    if (track !== null) return track;
  }
  const [first] = tracks.map(({ language }) => language).toSorted();
  return first === undefined ? null : trackInLanguage(tracks, first);
}

function writtenByPeopleFirst(tracks: readonly TrackName[]): TrackName[] {
  return tracks.toSorted(
    (one, other) => Number(one.automatic) - Number(other.automatic) || (one.language < other.language ? -1 : 1),
  );
}
