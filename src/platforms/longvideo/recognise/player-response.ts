/** The player response: `videoDetails`, `microformat` and the list of caption tracks. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFilledTexts,
  readFlag,
  readLanguage,
  readMeasure,
  readObject,
  readObjectAt,
  readObjects,
  readText,
} from "#import/capture/field-readers.ts";
import { readTime } from "#import/capture/table-cells.ts";
import { readHandle, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { collectVideo } from "../importers/collect-video.ts";
import type { NativeVideo } from "../native.ts";
import { readPageText } from "./page-text.ts";

/** Two of these together identify a player response. */
const DETAIL_KEYS = ["videoId", "lengthSeconds", "shortDescription", "channelId", "isLiveContent"];

/** Tools save it whole, or only its parts that describe the video. */
export function isPlayerResponse(object: Fields): boolean {
  const details = readObject(object["videoDetails"]);
  if (details !== undefined && DETAIL_KEYS.filter((key) => key in details).length >= 2) return true;
  if (findMicroformat(object) !== undefined) return true;
  return details === undefined && "status" in readObjectAt(object, "playabilityStatus") && "responseContext" in object;
}

function findMicroformat(object: Fields): Fields | undefined {
  return readObject(readObjectAt(object, "microformat")["playerMicroformatRenderer"]);
}

export function readPlayerResponse(response: Fields, collect: Collector): void {
  const details = readObjectAt(response, "videoDetails");
  // ytdl-core writes both as one.
  const about = findMicroformat(response) ?? details;
  const id = readVideoId(details["videoId"]) ?? readVideoId(about["externalVideoId"]) ?? videoIdInLink(about);
  if (id === undefined) {
    // A response without both is about a video that is private, deleted or blocked.
    if ("videoDetails" in response || "microformat" in response) collect.refuse("post_without_id");
    else collect.skip("a video that cannot be played");
    return;
  }
  const short = readFlag(about["isShortsEligible"]);
  collectVideo(
    {
      id,
      title: readFilledText(details["title"]) ?? readPageText(about["title"]),
      description: readText(details["shortDescription"]) ?? readPageText(about["description"]),
      channel: {
        id: readPlainId(details["channelId"]) ?? readPlainId(about["externalChannelId"]),
        handle: readHandle(about["ownerProfileUrl"]),
        title:
          readFilledText(details["author"]) ??
          readFilledText(about["ownerChannelName"]) ??
          readFilledText(readObjectAt(details, "author")["name"]),
      },
      publishedAt: readTime(about["publishDate"]) ?? readTime(about["uploadDate"]),
      language: readSpokenLanguage(response),
      category: readFilledText(about["category"]),
      durationS: readMeasure(details["lengthSeconds"]) ?? readMeasure(about["lengthSeconds"]),
      counters: {
        views: readCount(details["viewCount"]) ?? readCount(about["viewCount"]),
        likes: readCount(about["likeCount"]) ?? readCount(about["likes"]),
      },
      native: {
        keywords: readFilledTexts(details["keywords"]),
        thumbnails: readThumbnails(readObjectAt(details, "thumbnail")["thumbnails"] ?? details["thumbnails"]),
        ...readLiveStatus(details, readObjectAt(about, "liveBroadcastDetails")),
        type: short === undefined ? undefined : short ? "SHORT" : "NORMAL",
      },
    },
    collect,
  );
}

function videoIdInLink(about: Fields): string | undefined {
  const link = readFilledText(readObjectAt(about, "embed")["iframeUrl"]) ?? readFilledText(about["canonicalUrl"]) ?? "";
  return /(?:\/embed\/|\/shorts\/|[?&]v=)([\w-]{11})(?:$|[?&#])/.exec(link)?.[1];
}

/** The language of the speech recognition's track is the one that is spoken. */
function readSpokenLanguage(response: Fields): string | undefined {
  const tracks = readObjects(readObjectAt(response, "captions", "playerCaptionsTracklistRenderer")["captionTracks"]);
  const recognised = tracks.filter(({ kind }) => kind === "asr");
  return recognised.length === 1 ? readLanguage(recognised[0]?.["languageCode"]) : undefined;
}

function readLiveStatus(details: Fields, broadcast: Fields): Pick<NativeVideo, "isLive" | "wasLive"> {
  const content = readFlag(details["isLiveContent"]);
  if (content === undefined) return {};
  if (!content) return { isLive: false, wasLive: false };
  const isLive = readFlag(details["isLive"]) ?? readFlag(broadcast["isLiveNow"]) ?? false;
  return isLive || readFlag(details["isUpcoming"]) === true ? { isLive } : { isLive, wasLive: true };
}
