/** Caption tracks as YouTube's pages fetch them, saved in a HAR: the URL names the video and the language. */
import type { Importer, SourceDocument } from "#api/importer.ts";
import { readVideoId } from "./id-forms.ts";
import { collectTrack } from "./subtitles/collect-track.ts";
import { parseTrackLanguage } from "#import/capture/subtitles/track-language.ts";
import { parseJson3 } from "#import/capture/subtitles/json3.ts";
import { readSubtitleText } from "#import/capture/subtitles/read-subtitle-text.ts";

export const timedtext: Importer = {
  name: "timedtext",

  detects(document) {
    return document.kind !== "row" && parseOrigin(document)?.pathname === "/api/timedtext";
  },

  read(document, _file, collect) {
    const query = parseOrigin(document)?.searchParams;
    const videoId = readVideoId(query?.get("v"));
    if (query === undefined || videoId === undefined) return collect.refuse("subtitles_without_video");
    const translation = query.get("tlang");
    const language = parseTrackLanguage(translation ?? query.get("lang") ?? "");
    if (query.get("type") === "list" || language === null) {
      return collect.skip("a list of caption tracks without their text");
    }
    const { lines, isRolling } =
      typeof document.value === "string"
        ? readSubtitleText(document.value, query.get("fmt") ?? "")
        : parseJson3(document.value);
    collectTrack(
      {
        videoId,
        language: language.code,
        // A translation is automatic even where its source was written by people.
        automatic: query.get("kind") === "asr" || translation !== null || isRolling || language.automatic,
        lines,
      },
      collect,
    );
  },
};

function parseOrigin({ origin }: SourceDocument): URL | null {
  const url = typeof origin.url === "string" ? URL.parse(origin.url) : null;
  return url !== null && /(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname) ? url : null;
}
