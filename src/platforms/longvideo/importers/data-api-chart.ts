/** A chart of the Data API (`videos?chart=mostPopular`): which one it is only the URL says. */
import type { Importer } from "#api/importer.ts";
import { toIsoDate } from "#domain/time.ts";
import { isFields, readCountry, readObjects } from "#import/capture/field-readers.ts";
import { readVideoResource } from "../recognise/data-api-videos.ts";
import { SECTION_CATEGORY_IDS, SECTIONS } from "../sections.ts";
import { readVideoId } from "./id-forms.ts";

/** A section without a category is the chart of all. */
function readChart(url: string | undefined): { country: string; section: string } | null {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !parsed.pathname.endsWith("/youtube/v3/videos")) return null;
  const { searchParams } = parsed;
  const category = searchParams.get("videoCategoryId");
  const section = SECTIONS.find((name) => SECTION_CATEGORY_IDS[name] === (category === "0" ? null : category));
  const country = readCountry(searchParams.get("regionCode"));
  // Later pages do not say at which rank they begin.
  const isFirstPage = searchParams.get("chart") === "mostPopular" && !searchParams.has("pageToken");
  return isFirstPage && section !== undefined && country !== undefined
    ? { country, section: section.toLowerCase() }
    : null;
}

export const dataApiChart: Importer = {
  name: "data-api-chart",
  detects: ({ kind, value, origin }) =>
    kind === "json" &&
    isFields(value) &&
    value["kind"] === "youtube#videoListResponse" &&
    readChart(origin.url) !== null,
  read({ value, origin, capturedAt }, _file, collect) {
    const chart = readChart(origin.url);
    if (chart === null || !isFields(value)) return;
    for (const [index, resource] of readObjects(value["items"]).entries()) {
      readVideoResource(resource, collect);
      const postId = readVideoId(resource["id"]);
      if (postId !== undefined && capturedAt !== null)
        collect.chartEntry({ ...chart, day: toIsoDate(capturedAt), rank: index + 1, postId });
    }
  },
};
