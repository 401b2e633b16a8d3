/** gallery-dl: TikTok's own post with the tool's keys beside it, one file per medium, so a photo post comes once per picture. */
import type { Importer } from "#api/importer.ts";
import type { Fields } from "#import/capture/field-readers.ts";
import { listGalleryDlObjects } from "#import/capture/gallery-dl.ts";
import { recogniseAll } from "../recognise.ts";

function listPosts(value: unknown): Fields[] {
  return listGalleryDlObjects(value).filter((object) => object["category"] === "tiktok");
}

export const galleryDl: Importer = {
  name: "gallery-dl",
  detects: ({ kind, value }) =>
    kind === "json" && listPosts(Array.isArray(value) ? value.slice(0, 20) : value).length > 0,
  read({ value }, file, collect) {
    for (const post of listPosts(value)) {
      if (!recogniseAll(post, { url: null, file }, collect)) collect.refuse("unknown_record");
    }
  },
};
