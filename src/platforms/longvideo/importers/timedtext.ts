/** Caption tracks as the platform's own pages fetch them, saved in a HAR: the address names the video and the language. */
import type { Importer, SourceDocument } from "#api/importer.ts";
import { readVideoId } from "./id-forms.ts";
import { collectTrack } from "./subtitles/collect-track.ts";
import { spokenLanguage } from "./subtitles/file-name.ts";
import { readJson3 } from "#import/capture/subtitles/json3.ts";
import { readSubtitleText } from "#import/capture/subtitles/read-subtitle-text.ts";

export const timedtext: Importer = {
  name: "timedtext",

  detects(document) {
    return document.kind !== "row" && addressOf(document)?.pathname === "/api/timedtext";
  },

  read(document, _file, collect) {
    const asked = addressOf(document)?.searchParams;
    const videoId = readVideoId(asked?.get("v"));
    if (asked === undefined || videoId === undefined) {
      collect.refuse("subtitles_without_video");
      return;
    }
    const translated = asked.get("tlang");
    const language = spokenLanguage(translated ?? asked.get("lang") ?? "");
    if (asked.get("type") === "list" || language === null) {
      collect.skip("a list of caption tracks without their text");
      return;
    }
    const { lines, rolling } =
      typeof document.value === "string"
        ? readSubtitleText(document.value, asked.get("fmt") ?? "")
        : readJson3(document.value);
    collectTrack(
      {
        videoId,
        language: language.code,
        // A translation is the machine's even where people wrote what it was made from.
        automatic: asked.get("kind") === "asr" || translated !== null || rolling || language.automatic,
        lines,
      },
      collect,
    );
  },
};

function addressOf({ origin }: SourceDocument): URL | null {
  const url = typeof origin.url === "string" ? URL.parse(origin.url) : null;
  return url !== null && /(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname) ? url : null;
}
