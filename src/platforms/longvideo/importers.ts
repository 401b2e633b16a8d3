/** One line per named format, the most specific first: the first that detects a document reads it. */
import type { Importer } from "#api/importer.ts";
import type { ImportSupport } from "#api/platform.ts";
import { channelFeed } from "./importers/channel-feed.ts";
import { commentDownloader } from "./importers/comment-downloader.ts";
import { commentTables } from "./importers/comment-tables.ts";
import { dataApiChart } from "./importers/data-api-chart.ts";
import { dataApiRows } from "./importers/data-api-rows.ts";
import { dataToolsComments, dataToolsVideos } from "./importers/data-tools.ts";
import { innertube } from "./importers/innertube.ts";
import { invidious } from "./importers/invidious.ts";
import { oembed } from "./importers/oembed.ts";
import { piped } from "./importers/piped.ts";
import { searchComments } from "./importers/search-comments.ts";
import { studioTable } from "./importers/studio-table.ts";
import { subtitleFiles } from "./importers/subtitle-files.ts";
import { takeoutHistory } from "./importers/takeout-history.ts";
import { takeoutTables } from "./importers/takeout-tables.ts";
import { timedtext } from "./importers/timedtext.ts";
import { transcriptApi } from "./importers/transcript-api.ts";
import { transcriptPanel } from "./importers/transcript-panel.ts";
import { transcriptSegments } from "./importers/transcript-segments.ts";
import { trendingTables } from "./importers/trending-tables.ts";
import { videoTables } from "./importers/video-tables.ts";
import { youtubeTranscript } from "./importers/youtube-transcript.ts";
import { ytDlp } from "./importers/yt-dlp.ts";
import { MAPPABLE } from "./importers/mapped-records.ts";
import { recognise } from "./recognise.ts";

export const IMPORTERS: Importer[] = [
  ytDlp,
  dataApiChart,
  channelFeed,
  oembed,
  timedtext,
  transcriptPanel,
  innertube,
  invidious,
  piped,
  transcriptApi,
  youtubeTranscript,
  transcriptSegments,
  subtitleFiles,
  commentDownloader,
  searchComments,
  takeoutHistory,
  ...trendingTables,
  dataToolsVideos,
  dataToolsComments,
  ...takeoutTables,
  studioTable,
  dataApiRows,
  commentTables,
  videoTables,
];

export const IMPORT_SUPPORT: ImportSupport = { importers: IMPORTERS, recognise, mappable: MAPPABLE };
