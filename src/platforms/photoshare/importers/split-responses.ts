/**
 * Elements of Instagram responses that were too large to read whole. Alone, a follower is only an account, so each
 * element is put back into its list, with the scalars of the object that held it.
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

export const splitResponses: Importer = {
  name: "photoshare web",

  detects(document) {
    return document.kind === "json" && getListName(document) !== undefined;
  },

  read(document, file, collect) {
    const list = getListName(document);
    if (list === undefined) return;
    const { count: _, ...owner } = document.location?.scalars ?? {};
    const holder: Fields = { ...owner, [list]: { edges: [document.value] } };
    const context = { document: { url: document.origin.url ?? null, file } };
    if (!recogniseAll(holder, context, collect)) collect.refuse("unknown_record");
  },
};

function getListName({ location: within }: SourceDocument): string | undefined {
  const [list, edges] = within?.path.slice(-2) ?? [];
  return edges === "edges" && list !== undefined && LISTS.has(list) ? list : undefined;
}
