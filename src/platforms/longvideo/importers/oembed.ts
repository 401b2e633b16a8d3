/** YouTube's oEmbed documents: title, channel and picture. The id is only in the URLs of picture and player. */
import type { Importer } from "#api/importer.ts";
import { isFields, readFilledText, readMeasure, readText, readUrl } from "#import/capture/field-readers.ts";
import { collectVideo } from "./collect-video.ts";
import { channelIdInUrl, readHandle, readVideoId } from "./id-forms.ts";
import { readThumbnails } from "./thumbnails.ts";

export function readOembedId(value: unknown): string | undefined {
  if (!isFields(value) || value["provider_name"] !== "YouTube") return undefined;
  const [, inPicture] = /\/vi(?:_webp)?\/([\w-]{5,64})\//.exec(readText(value["thumbnail_url"]) ?? "") ?? [];
  const [, inPlayer] = /\/embed\/([\w-]{5,64})/.exec((readText(value["html"]) ?? "").slice(0, 2_000)) ?? [];
  return readVideoId(inPicture ?? inPlayer);
}

export const oembed: Importer = {
  name: "oembed",
  detects: ({ kind, value }) => kind === "json" && readOembedId(value) !== undefined,
  read({ value }, _file, collect) {
    const id = readOembedId(value);
    if (id === undefined || !isFields(value)) return collect.refuse("post_without_id");
    const [url, width, height] = [value["thumbnail_url"], value["thumbnail_width"], value["thumbnail_height"]];
    collectVideo(
      {
        id,
        title: readFilledText(value["title"]),
        channel: {
          id: channelIdInUrl(value["author_url"]),
          handle: readHandle(value["author_url"]),
          title: readFilledText(value["author_name"]),
        },
        hasFewThumbnails: true,
        native: {
          thumbnails: readThumbnails([{ url: readUrl(url), width: readMeasure(width), height: readMeasure(height) }]),
        },
      },
      collect,
    );
  },
};
