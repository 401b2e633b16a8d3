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
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { readHandle, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { collectVideo } from "../importers/collect-video.ts";
import type { NativeVideo } from "../native.ts";
import { readPageText } from "./page-text.ts";

/** Two of these together identify a player response. */
const DETAIL_KEYS = ["videoId", "lengthSeconds", "shortDescription", "channelId", "isLiveContent"];

export function isPlayerResponse(object: Fields): boolean {
  const details = readObject(object["videoDetails"]);
  if (details !== undefined) return DETAIL_KEYS.filter((key) => key in details).length >= 2;
  return "status" in readObjectAt(object, "playabilityStatus") && "responseContext" in object;
}

export function readPlayerResponse(response: Fields, collect: Collector): void {
  const details = readObject(response["videoDetails"]);
  if (details === undefined) return collect.skip("a video that cannot be played");
  const id = readVideoId(details["videoId"]);
  if (id === undefined) return collect.refuse("post_without_id");
  const about = readObjectAt(response, "microformat", "playerMicroformatRenderer");
  const short = readFlag(about["isShortsEligible"]);
  collectVideo(
    {
      id,
      title: readFilledText(details["title"]) ?? readPageText(about["title"]),
      description: readFilledText(details["shortDescription"]) ?? readPageText(about["description"]),
      channel: {
        id: readPlainId(details["channelId"]) ?? readPlainId(about["externalChannelId"]),
        handle: readHandle(about["ownerProfileUrl"]),
        title: readFilledText(details["author"]) ?? readFilledText(about["ownerChannelName"]),
      },
      publishedAt: readTimestamp(about["publishDate"]) ?? readTimestamp(about["uploadDate"]),
      language: readSpokenLanguage(response),
      category: readFilledText(about["category"]),
      durationS: readMeasure(details["lengthSeconds"]) ?? readMeasure(about["lengthSeconds"]),
      counters: {
        views: readCount(details["viewCount"]) ?? readCount(about["viewCount"]),
        likes: readCount(about["likeCount"]),
      },
      native: {
        keywords: readFilledTexts(details["keywords"]),
        thumbnails: readThumbnails(readObjectAt(details, "thumbnail")["thumbnails"]),
        ...readLiveStatus(details, readObjectAt(about, "liveBroadcastDetails")),
        type: short === undefined ? undefined : short ? "SHORT" : "NORMAL",
      },
    },
    collect,
  );
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
