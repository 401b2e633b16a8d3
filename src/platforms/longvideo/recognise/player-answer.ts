/** What the player is told of its video (`videoDetails`, `microformat`, the list of caption tracks). */
import type { Collector } from "#contract/importer.ts";
import { collectVideo } from "../importers/collect-video.ts";
import {
  countOf,
  type Fields,
  fieldsOf,
  flagOf,
  handleOf,
  idOf,
  languageOf,
  listOf,
  textOf,
  textsOf,
  thumbnailsOf,
  videoIdOf,
  within,
} from "../importers/field-readers.ts";
import { lengthOf, momentOf } from "../importers/moments.ts";
import type { NativeVideo } from "../native.ts";
import { shownText } from "./page-text.ts";

/** Two of these beside each other are the player's, with or without the rest. */
const TELLING = ["videoId", "lengthSeconds", "shortDescription", "channelId", "isLiveContent"];

export function isPlayerAnswer(object: Fields): boolean {
  const details = fieldsOf(object["videoDetails"]);
  if (details !== undefined) {
    return TELLING.filter((key) => key in details).length >= 2;
  }
  return "status" in within(object, "playabilityStatus") && "responseContext" in object;
}

export function readPlayerAnswer(answer: Fields, collect: Collector): void {
  const details = fieldsOf(answer["videoDetails"]);
  if (details === undefined) {
    collect.skip("the platform's answer says that the video cannot be played");
    return;
  }
  const id = videoIdOf(details["videoId"]);
  if (id === undefined) {
    collect.refuse("video has no id");
    return;
  }
  const about = within(answer, "microformat", "playerMicroformatRenderer");
  const short = flagOf(about["isShortsEligible"]);
  collectVideo(
    {
      id,
      title: textOf(details["title"]) ?? shownText(about["title"]),
      description: textOf(details["shortDescription"]) ?? shownText(about["description"]),
      channel: {
        id: idOf(details["channelId"]) ?? idOf(about["externalChannelId"]),
        handle: handleOf(about["ownerProfileUrl"]),
        title: textOf(details["author"]) ?? textOf(about["ownerChannelName"]),
      },
      publishedAt: momentOf(about["publishDate"]) ?? momentOf(about["uploadDate"]),
      language: spokenLanguage(answer),
      category: textOf(about["category"]),
      durationS: lengthOf(details["lengthSeconds"]) ?? lengthOf(about["lengthSeconds"]),
      counters: {
        views: countOf(details["viewCount"]) ?? countOf(about["viewCount"]),
        likes: countOf(about["likeCount"]),
      },
      native: {
        keywords: textsOf(details["keywords"]),
        thumbnails: thumbnailsOf(within(details, "thumbnail")["thumbnails"]),
        ...liveness(details, within(about, "liveBroadcastDetails")),
        type: short === undefined ? undefined : short ? "SHORT" : "NORMAL",
      },
    },
    collect,
  );
}

/** Speech recognition runs on the language that is spoken; its track names it. */
function spokenLanguage(answer: Fields): string | undefined {
  const tracks = listOf(within(answer, "captions", "playerCaptionsTracklistRenderer")["captionTracks"]);
  const heard = tracks.map((track) => within(track)).filter((track) => track["kind"] === "asr");
  return heard.length === 1 ? languageOf(heard[0]?.["languageCode"]) : undefined;
}

function liveness(details: Fields, broadcast: Fields): Pick<NativeVideo, "isLive" | "wasLive"> {
  const content = flagOf(details["isLiveContent"]);
  if (content === undefined) return {};
  if (!content) return { isLive: false, wasLive: false };
  const isLive = flagOf(details["isLive"]) ?? flagOf(broadcast["isLiveNow"]) ?? false;
  return isLive || flagOf(details["isUpcoming"]) === true ? { isLive } : { isLive, wasLive: true };
}
