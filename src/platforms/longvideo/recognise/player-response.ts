/** What the player is told of its video (`videoDetails`, `microformat`, the list of caption tracks). */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFilledTexts,
  readFlag,
  readItems,
  readLanguage,
  readMeasure,
  readObject,
  readObjectAt,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { readHandle, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { collectVideo } from "../importers/collect-video.ts";
import type { NativeVideo } from "../native.ts";
import { shownText } from "./page-text.ts";

/** Two of these beside each other are the player's, with or without the rest. */
const TELLING = ["videoId", "lengthSeconds", "shortDescription", "channelId", "isLiveContent"];

export function isPlayerAnswer(object: Fields): boolean {
  const details = readObject(object["videoDetails"]);
  if (details !== undefined) {
    return TELLING.filter((key) => key in details).length >= 2;
  }
  return "status" in readObjectAt(object, "playabilityStatus") && "responseContext" in object;
}

export function readPlayerAnswer(answer: Fields, collect: Collector): void {
  const details = readObject(answer["videoDetails"]);
  if (details === undefined) {
    collect.skip("the platform's answer says that the video cannot be played");
    return;
  }
  const id = readVideoId(details["videoId"]);
  if (id === undefined) {
    collect.refuse("post_without_id");
    return;
  }
  const about = readObjectAt(answer, "microformat", "playerMicroformatRenderer");
  const short = readFlag(about["isShortsEligible"]);
  collectVideo(
    {
      id,
      title: readFilledText(details["title"]) ?? shownText(about["title"]),
      description: readFilledText(details["shortDescription"]) ?? shownText(about["description"]),
      channel: {
        id: readPlainId(details["channelId"]) ?? readPlainId(about["externalChannelId"]),
        handle: readHandle(about["ownerProfileUrl"]),
        title: readFilledText(details["author"]) ?? readFilledText(about["ownerChannelName"]),
      },
      publishedAt: readTimestamp(about["publishDate"]) ?? readTimestamp(about["uploadDate"]),
      language: spokenLanguage(answer),
      category: readFilledText(about["category"]),
      durationS: readMeasure(details["lengthSeconds"]) ?? readMeasure(about["lengthSeconds"]),
      counters: {
        views: readCount(details["viewCount"]) ?? readCount(about["viewCount"]),
        likes: readCount(about["likeCount"]),
      },
      native: {
        keywords: readFilledTexts(details["keywords"]),
        thumbnails: readThumbnails(readObjectAt(details, "thumbnail")["thumbnails"]),
        ...liveness(details, readObjectAt(about, "liveBroadcastDetails")),
        type: short === undefined ? undefined : short ? "SHORT" : "NORMAL",
      },
    },
    collect,
  );
}

/** Speech recognition runs on the language that is spoken; its track names it. */
function spokenLanguage(answer: Fields): string | undefined {
  const tracks = readItems(readObjectAt(answer, "captions", "playerCaptionsTracklistRenderer")["captionTracks"]);
  const heard = tracks.map((track) => readObjectAt(track)).filter((track) => track["kind"] === "asr");
  return heard.length === 1 ? readLanguage(heard[0]?.["languageCode"]) : undefined;
}

function liveness(details: Fields, broadcast: Fields): Pick<NativeVideo, "isLive" | "wasLive"> {
  const content = readFlag(details["isLiveContent"]);
  if (content === undefined) return {};
  if (!content) return { isLive: false, wasLive: false };
  const isLive = readFlag(details["isLive"]) ?? readFlag(broadcast["isLiveNow"]) ?? false;
  return isLive || readFlag(details["isUpcoming"]) === true ? { isLive } : { isLive, wasLive: true };
}
