/** Chooses one of a video's subtitle tracks. */
import { canonicalLanguage } from "./language.ts";
import type { SubtitleTrack } from "./subtitle.ts";

type TrackName = Pick<SubtitleTrack, "language" | "automatic">;

export function findTrack(tracks: readonly TrackName[], language: string): TrackName | null {
  const requested = canonicalLanguage(language);
  const find = (matches: (candidate: string) => boolean) =>
    manualFirst(tracks).find((track) => matches(canonicalLanguage(track.language)));
  return (
    find((candidate) => candidate === requested) ??
    // "en" accepts en-GB and "en-GB" accepts en, but "zh-Hant" does not accept zh-Hans.
    find((candidate) => candidate.startsWith(`${requested}-`)) ??
    find((candidate) => requested.startsWith(`${candidate}-`)) ??
    null
  );
}

/** The track for a request without a language: the first preferred language that exists, else the first of all. */
export function findPreferredTrack(
  tracks: readonly TrackName[],
  preferred: readonly (string | null)[],
): TrackName | null {
  for (const language of preferred) {
    const track = language === null ? null : findTrack(tracks, language);
    if (track !== null) return track;
  }
  const [first] = tracks.map(({ language }) => language).toSorted();
  return first === undefined ? null : findTrack(tracks, first);
}

function manualFirst(tracks: readonly TrackName[]): TrackName[] {
  return tracks.toSorted(
    (one, other) => Number(one.automatic) - Number(other.automatic) || (one.language < other.language ? -1 : 1),
  );
}
