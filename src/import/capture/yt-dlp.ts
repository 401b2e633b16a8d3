/** What yt-dlp and youtube-dl write the same way for every site: the extractor's name and embedded subtitles. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { type Fields, readItems, readObjectAt } from "./field-readers.ts";
import { readSubtitleText } from "./subtitles/read-subtitle-text.ts";
import { parseTrackLanguage } from "./subtitles/track-language.ts";

/** Empty where the file names none. */
export function readExtractor(info: Fields): string {
  const name = [info["extractor_key"], info["ie_key"], info["extractor"]].find((key) => typeof key === "string");
  return typeof name === "string" ? name : "";
}

interface EmbeddedTrack {
  /** BCP 47 */
  language: string;
  automatic: boolean;
  /** Empty where the text cannot be read. */
  lines: SubtitleLine[];
}

/** Subtitles whose text is in the file itself; most files hold only URLs of subtitles, which are never fetched. */
export function readEmbeddedSubtitles(info: Fields): EmbeddedTrack[] {
  const requested = Object.entries(readObjectAt(info, "requested_subtitles"));
  const candidates = [
    ...requested.map(([name, track]) => ({ name, track, automatic: false })),
    ...listTracks(info["subtitles"], false),
    ...listTracks(info["automatic_captions"], true),
  ];
  const tracks = new Map<string, EmbeddedTrack>();
  for (const { name, track, automatic } of candidates) {
    const { data, ext } = readObjectAt(track);
    const language = parseTrackLanguage(name);
    if (language === null || typeof data !== "string" || tracks.has(name)) continue;
    const { lines, isRolling } = readSubtitleText(data, typeof ext === "string" ? ext.toLowerCase() : "");
    tracks.set(name, { language: language.code, automatic: automatic || isRolling || language.automatic, lines });
  }
  return [...tracks.values()];
}

function listTracks(byLanguage: unknown, automatic: boolean) {
  return Object.entries(readObjectAt(byLanguage)).flatMap(([name, formats]) =>
    readItems(formats).map((track) => ({ name, track, automatic })),
  );
}
