/** Subtitles whose text itself stands in a yt-dlp file; addresses of subtitles are of no use here. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readItems, readObject, readObjectAt } from "#import/capture/field-readers.ts";
import { collectTrack } from "#platforms/longvideo/importers/subtitles/collect-track.ts";
import { spokenLanguage } from "#platforms/longvideo/importers/subtitles/file-name.ts";
import { readSubtitleText } from "./subtitles/read-subtitle-text.ts";

export function readEmbeddedSubtitles(info: Fields, videoId: string, collect: Collector): void {
  const requested = readObjectAt(info, "requested_subtitles");
  const tracks: [string, unknown, boolean][] = [
    ...Object.entries(requested).map(([language, track]): [string, unknown, boolean] => [language, track, false]),
    ...tracksOf(info["subtitles"], false),
    ...tracksOf(info["automatic_captions"], true),
  ];
  const read = new Set<string>();
  for (const [name, value, automatic] of tracks) {
    const track = readObject(value);
    const text = track?.["data"];
    const ext = track?.["ext"];
    const language = spokenLanguage(name);
    if (language === null || typeof text !== "string" || typeof ext !== "string" || read.has(name)) continue;
    read.add(name);
    const { lines, rolling } = readSubtitleText(text, ext.toLowerCase());
    collectTrack(
      { videoId, language: language.code, automatic: automatic || rolling || language.automatic, lines },
      collect,
    );
  }
}

function tracksOf(value: unknown, automatic: boolean): [string, unknown, boolean][] {
  return Object.entries(readObjectAt(value)).flatMap(([language, formats]) =>
    readItems(formats).map((track): [string, unknown, boolean] => [language, track, automatic]),
  );
}
