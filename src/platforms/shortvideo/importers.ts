/** One line per named format, the most specific first: the first that detects a document reads it. */
import type { Importer } from "#api/importer.ts";
import type { ImportSupport } from "#api/platform.ts";
import { fourCat } from "./importers/4cat.ts";
import { addressedPosts } from "./importers/addressed-posts.ts";
import { apidojo } from "./importers/apidojo.ts";
import { apify } from "./importers/apify.ts";
import { brightData } from "./importers/bright-data.ts";
import { creativeCenter } from "./importers/creative-center.ts";
import { discover } from "./importers/discover.ts";
import { downloadServices } from "./importers/download-services.ts";
import { galleryDl } from "./importers/gallery-dl.ts";
import { nativeTable } from "./importers/native-table.ts";
import { oembed } from "./importers/oembed.ts";
import { postTables } from "./importers/post-tables.ts";
import { researchApi } from "./importers/research-api.ts";
import { splitFollowLists } from "./importers/split-follow-lists.ts";
import { takeout } from "./importers/takeout.ts";
import { tiktokApiDl } from "./importers/tiktok-api-dl.ts";
import { tiktokContentScraper } from "./importers/tiktok-content-scraper.ts";
import { tiktokScraper } from "./importers/tiktok-scraper.ts";
import { ytDlp } from "./importers/yt-dlp.ts";
import { zeeschuimer } from "./importers/zeeschuimer.ts";
import { zeeschuimerOther } from "./importers/zeeschuimer-other.ts";
import { MAPPABLE } from "./importers/mapped-records.ts";
import { recognise } from "./recognise.ts";

export const IMPORTERS: Importer[] = [
  zeeschuimer,
  fourCat,
  zeeschuimerOther,
  ytDlp,
  galleryDl,
  tiktokScraper,
  apify,
  apidojo,
  researchApi,
  postTables,
  nativeTable,
  oembed,
  discover,
  downloadServices,
  tiktokApiDl,
  tiktokContentScraper,
  takeout,
  brightData,
  creativeCenter,
  splitFollowLists,
  addressedPosts,
];

export const IMPORT_SUPPORT: ImportSupport = { importers: IMPORTERS, recognise, mappable: MAPPABLE };
