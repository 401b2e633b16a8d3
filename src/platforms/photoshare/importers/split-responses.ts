/**
 * Elements of the platform's own answers that were too large to be read whole. On its own a follower is only an account
 * and a post only a post, so each is put back into the list that it was taken from, with what is known around it.
 */
import type { Importer, SourceDocument } from "#api/importer.ts";
import { type Fields } from "#import/capture/field-readers.ts";
import { recogniseAll } from "../recognise.ts";

const LISTS = new Set([
  "edge_followed_by",
  "edge_follow",
  "edge_user_to_photos_of_you",
  "edge_owner_to_timeline_media",
  "edge_hashtag_to_media",
  "edge_hashtag_to_top_posts",
  "edge_location_to_media",
  "edge_location_to_top_posts",
  "edge_media_to_comment",
  "edge_media_to_parent_comment",
]);

export const splitAnswers: Importer = {
  name: "photoshare web",

  detects(document) {
    return document.kind === "json" && listAround(document) !== undefined;
  },

  read(document, file, collect) {
    const list = listAround(document);
    if (list === undefined) return;
    const { count: _, ...owner } = document.within?.scalars ?? {};
    const holder: Fields = { ...owner, [list]: { edges: [document.value] } };
    const scene = { url: document.origin.url ?? null, file };
    if (!recogniseAll(holder, { scene }, collect)) collect.refuse("unknown_record");
  },
};

function listAround({ within }: SourceDocument): string | undefined {
  const [list, edges] = within?.path.slice(-2) ?? [];
  return edges === "edges" && list !== undefined && LISTS.has(list) ? list : undefined;
}
