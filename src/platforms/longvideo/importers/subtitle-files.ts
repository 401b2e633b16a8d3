/** Subtitle files beside a video, named after it: json3, srv1, srv2, srv3, ttml, vtt, srt. */
import type { Importer, SourceFile } from "#api/importer.ts";
import { readLanguage } from "#import/capture/field-readers.ts";
import { collectTrack } from "./subtitles/collect-track.ts";
import { isForeignName, SUBTITLE_ENDINGS, subtitleNameOf } from "./subtitles/file-name.ts";
import { isJson3, readJson3 } from "#import/capture/subtitles/json3.ts";
import { readSubtitleText } from "#import/capture/subtitles/read-subtitle-text.ts";

export const subtitleFiles: Importer = {
  name: "subtitles",

  detects(document, file) {
    const name = fileNameOf(file);
    if (document.kind === "json") return isJson3(document.value) && !isForeignName(name);
    if (document.kind !== "text") return false;
    const ending = subtitleNameOf(name)?.ending;
    return SUBTITLE_ENDINGS.some((known) => known === ending) && !isForeignName(name);
  },

  read(document, file, collect) {
    const name = subtitleNameOf(fileNameOf(file));
    if (name === null || name.videoId === null) {
      collect.refuse("subtitles_without_video: as in <title> [<id>].en.vtt");
      return;
    }
    const { lines, rolling, language } =
      typeof document.value === "string" ? readSubtitleText(document.value, name.ending) : readJson3(document.value);
    collectTrack(
      {
        videoId: name.videoId,
        language: name.language ?? readLanguage(language) ?? "und",
        automatic: name.automatic || rolling,
        lines,
      },
      collect,
    );
  },
};

export function fileNameOf(file: SourceFile): string {
  return file.segments.at(-1) ?? file.name;
}
