/**
 * Data API resources that a script flattened, mostly with pandas: a column per path, `snippet.resourceId.videoId`. Videos
 * and search results are left to the tables of videos, since scripts add columns of their own to them; of playlist items,
 * those are read too.
 */
import type { Importer } from "#api/importer.ts";
import { type Fields, isFields } from "#import/capture/field-readers.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { findResourceKind, recogniseResource } from "../recognise/data-api.ts";
import { readPlaylistItem } from "../recognise/data-api-videos.ts";
import { readSubjectVideo } from "./id-forms.ts";
import { readFigures } from "./video-tables.ts";

const KINDS: ReadonlySet<string | undefined> = new Set(["playlistItem", "commentThread", "comment", "channel"]);

const TEXTS = /(?:title|description|textOriginal|textDisplay|authorDisplayName)$/i;

export const dataApiRows: Importer = {
  name: "data-api table",

  detects: ({ value }) => isFields(value) && isFlattened(value) && KINDS.has(findResourceKind(nestRow(value))),

  read({ value }, file, collect) {
    if (!isFields(value)) return;
    const resource = nestRow(value, TEXTS);
    if (findResourceKind(resource) === "playlistItem") return readPlaylistItem(resource, collect, readFigures(value));
    recogniseResource(resource, collect, () => undefined, readSubjectVideo(file));
  },
};

function isFlattened(row: Fields): boolean {
  return Object.keys(row).some((column) => column.startsWith("snippet."));
}
