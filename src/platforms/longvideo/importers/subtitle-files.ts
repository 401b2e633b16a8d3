/** Subtitle files named after their video: json3, srv1, srv2, srv3, ttml, vtt, srt. */
import type { Importer } from "#api/importer.ts";
import { baseName } from "#import/capture/document-records.ts";
import { readLanguage } from "#import/capture/field-readers.ts";
import { collectTrack, findTrackVideo } from "./subtitles/collect-track.ts";
import { isForeignName, SUBTITLE_EXTENSIONS, parseSubtitleName } from "./subtitles/file-name.ts";
import { isJson3, parseJson3 } from "#import/capture/subtitles/json3.ts";
import { readSubtitleText } from "#import/capture/subtitles/read-subtitle-text.ts";

export const subtitleFiles: Importer = {
  name: "subtitles",

  detects(document, file) {
    const name = baseName(file);
    if (document.kind === "json") return isJson3(document.value) && !isForeignName(name);
    if (document.kind !== "text") return false;
    return SUBTITLE_EXTENSIONS.has(parseSubtitleName(name)?.extension ?? "") && !isForeignName(name);
  },

  read(document, file, collect) {
    const name = parseSubtitleName(baseName(file));
    const video = findTrackVideo(file, name);
    if (name === null || video === null) {
      return collect.refuse("subtitles_without_video: as in <title> [<id>].en.vtt");
    }
    const { lines, isRolling, language } =
      typeof document.value === "string"
        ? readSubtitleText(document.value, name.extension)
        : parseJson3(document.value);
    collectTrack(
      {
        ...video,
        language: name.language ?? readLanguage(language) ?? "und",
        automatic: name.automatic || isRolling,
        lines,
      },
      collect,
    );
  },
};
