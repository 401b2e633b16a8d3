/** One line per named format, the most specific first: the first that detects a document reads it. */
import type { Importer } from "#api/importer.ts";
import type { ImportSupport } from "#api/platform.ts";
import { fourCat } from "./importers/4cat.ts";
import { apidojo } from "./importers/apidojo.ts";
import { apify } from "./importers/apify.ts";
import { brightData } from "./importers/bright-data.ts";
import { crowdTangle } from "./importers/crowdtangle.ts";
import { followerLists } from "./importers/follower-lists.ts";
import { galleryDl } from "./importers/gallery-dl.ts";
import { graphApi } from "./importers/graph-api.ts";
import { instaloaderComments } from "./importers/instaloader-comments.ts";
import { instaloader } from "./importers/instaloader.ts";
import { phantombuster } from "./importers/phantombuster.ts";
import { scrapfly } from "./importers/scrapfly.ts";
import { splitResponses } from "./importers/split-responses.ts";
import { takeoutFollowers } from "./importers/takeout-followers.ts";
import { zeeschuimer } from "./importers/zeeschuimer.ts";
import { MAPPABLE } from "./importers/mapped-records.ts";
import { recognise } from "./recognise.ts";

export const IMPORTERS: Importer[] = [
  splitResponses,
  zeeschuimer,
  fourCat,
  instaloader,
  instaloaderComments,
  galleryDl,
  apify,
  apidojo,
  scrapfly,
  takeoutFollowers,
  graphApi,
  brightData,
  phantombuster,
  crowdTangle,
  followerLists,
];

export const IMPORT_SUPPORT: ImportSupport = { importers: IMPORTERS, recognise, mappable: MAPPABLE };
