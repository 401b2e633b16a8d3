/** TikTok's oEmbed documents: caption, author and cover. */
import type { Importer } from "#api/importer.ts";
import { isFields, readFilledText, readId, readMeasure, readUrl } from "#import/capture/field-readers.ts";
import { collectItem } from "../recognise/item.ts";
import { parseSiteUrl } from "../site-url.ts";

/** Until 2021 the id was only in the code to embed. */
export function readOembedId(value: unknown): string | undefined {
  if (!isFields(value) || value["provider_name"] !== "TikTok") return undefined;
  const embedded = / data-video-id="(\d+)"/.exec(readFilledText(value["html"]) ?? "")?.[1];
  return readId(value["embed_product_id"]) ?? readId(embedded);
}

export const oembed: Importer = {
  name: "oembed",
  detects: ({ kind, value }) => kind === "json" && readOembedId(value) !== undefined,
  read({ value }, _file, collect) {
    if (!isFields(value)) return;
    const profile = parseSiteUrl(readFilledText(value["author_url"]) ?? "");
    const name = profile?.kind === "account" && "name" in profile ? profile.name : undefined;
    collectItem(
      {
        id: readOembedId(value),
        desc: value["title"],
        author: { uniqueId: value["author_unique_id"] ?? name, nickname: value["author_name"] },
        video: {
          cover: readUrl(value["thumbnail_url"]),
          width: readMeasure(value["thumbnail_width"]),
          height: readMeasure(value["thumbnail_height"]),
        },
      },
      collect,
    );
  },
};
