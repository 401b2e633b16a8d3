/** TikTok's oEmbed documents: caption, author and cover. */
import type { Importer } from "#api/importer.ts";
import { isFields, readId, readMeasure, readUrl } from "#import/capture/field-readers.ts";
import { collectItem } from "../recognise/item.ts";

export function readOembedId(value: unknown): string | undefined {
  return isFields(value) && value["provider_name"] === "TikTok" ? readId(value["embed_product_id"]) : undefined;
}

export const oembed: Importer = {
  name: "oembed",
  detects: ({ kind, value }) => kind === "json" && readOembedId(value) !== undefined,
  read({ value }, _file, collect) {
    if (!isFields(value)) return;
    collectItem(
      {
        id: readOembedId(value),
        desc: value["title"],
        author: { uniqueId: value["author_unique_id"], nickname: value["author_name"] },
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
