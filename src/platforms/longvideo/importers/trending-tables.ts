/** Importers for trending tables: each row is a video and its chart entry for a country, section and day. */
import type { Importer, SourceFile } from "#api/importer.ts";
import { readObject } from "#import/capture/field-readers.ts";
import { sectionCategories, SECTIONS } from "../sections.ts";
import { categoryName } from "./category-names.ts";
import { collectVideo, type CapturedVideo } from "./collect-video.ts";
import {
  dailyTable,
  kaggle2017,
  kaggle2018,
  kaggle2020,
  kaggle2023,
  kaggle2024,
  type TrendingTable,
} from "./trending-rows.ts";

export const trendingTables: Importer[] = [dailyTable, kaggle2024, kaggle2023, kaggle2020, kaggle2018, kaggle2017].map(
  toImporter,
);

function toImporter(table: TrendingTable): Importer {
  return {
    name: table.name,

    detects(document) {
      const row = document.kind === "row" ? readObject(document.value) : undefined;
      return row !== undefined && table.columns.every((column) => typeof row[column] === "string");
    },

    read(document, file, collect) {
      const charted = table.read(readObject(document.value) ?? {});
      if (typeof charted === "string") return collect.refuse(charted);
      const { video, day } = charted;
      collectVideo(video, collect);
      if (charted.country === null) return collect.skip("a chart entry of a country that is not known");
      const country = charted.country ?? countryInName(file);
      if (country === null) {
        return collect.skip("a chart entry without a country: put it in the file name, as in US_videos.csv");
      }
      for (const section of listSections(video)) {
        const entry = { country, section, day, rank: charted.rank ?? document.index, postId: video.id };
        collect.chartEntry({ ...entry, capturedAt: video.capturedAt });
      }
    },
  };
}

/** Every video is in the main chart, some also in their category's. Lower case, as charts are stored. */
function listSections(video: CapturedVideo): string[] {
  const category = (video.category ?? categoryName(video.native?.categoryId))?.toLowerCase();
  return SECTIONS.filter((section) => {
    const categories = sectionCategories(section);
    return categories === null || (category !== undefined && categories.includes(category));
  }).map((section) => section.toLowerCase());
}

/** `GBvideos.csv`, `US_youtube_trending_data.csv`, `trending_EG_2026-07-01.csv`, or a folder of that name. */
function countryInName(file: SourceFile): string | null {
  for (const segment of file.segments.toReversed()) {
    const stem = segment.replace(/\.[^.]+$/, "");
    const country = /(?:^|[_\s-])([A-Z]{2})(?:$|[_\s-]|videos)/.exec(stem)?.[1];
    if (country !== undefined) return country;
  }
  return null;
}
