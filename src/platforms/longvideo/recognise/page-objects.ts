/** The objects that the platform's pages are made of, one at a time. */
import type { Collector } from "#contract/importer.ts";
import { collectChannel, collectVideo } from "../importers/collect-video.ts";
import {
  type Fields,
  fieldsOf,
  handleOf,
  idOf,
  listOf,
  textOf,
  thumbnailsOf,
  within,
} from "../importers/field-readers.ts";
import type { AnswerContext } from "./answer-context.ts";
import { isPlayerAnswer, readPlayerAnswer } from "./player-answer.ts";
import { readCommentEntity, readCommentRenderer, readCommentsHeader } from "./page-comments.ts";
import { exactCount, firstRun, shownCount, shownText } from "./page-text.ts";
import { isVideoRenderer, readLockup, readShortsLockup, readVideoRenderer } from "./page-videos.ts";

type Read = (object: Fields, context: AnswerContext, collect: Collector) => void;

/** By the name under which its parent holds it. */
const READERS: Record<string, Read> = {
  videoRenderer: readVideoRenderer,
  compactVideoRenderer: readVideoRenderer,
  gridVideoRenderer: readVideoRenderer,
  playlistVideoRenderer: readVideoRenderer,
  lockupViewModel: readLockup,
  shortsLockupViewModel: readShortsLockup,
  commentEntityPayload: readCommentEntity,
  commentRenderer: readCommentRenderer,
  commentsHeaderRenderer: readCommentsHeader,
  videoPrimaryInfoRenderer: readPrimaryInfo,
  videoSecondaryInfoRenderer: readSecondaryInfo,
  channelMetadataRenderer: readChannelMetadata,
  channelRenderer: readChannelRenderer,
};

const ADVERTISEMENTS = [
  "adSlotRenderer",
  "adPlacementRenderer",
  "compactPromotedVideoRenderer",
  "promotedVideoRenderer",
  "promotedSparklesWebRenderer",
  "searchPyvRenderer",
];

export function recognisePageObject(object: Fields, context: AnswerContext, collect: Collector): boolean {
  for (const name of ADVERTISEMENTS) {
    if (fieldsOf(object[name]) === undefined) continue;
    collect.skip("advertisement");
    return true;
  }
  if ("replayChatItemAction" in object) {
    collect.skip("a message of a live chat");
    return true;
  }
  let recognised = false;
  for (const [name, read] of Object.entries(READERS)) {
    const part = fieldsOf(object[name]);
    if (part === undefined) continue;
    read(part, context, collect);
    recognised = true;
  }
  if (recognised) return true;
  if (isPlayerAnswer(object)) {
    readPlayerAnswer(object, collect);
    return true;
  }
  if (!isVideoRenderer(object)) return false;
  readVideoRenderer(object, context, collect);
  return true;
}

function readPrimaryInfo(info: Fields, { videoId }: AnswerContext, collect: Collector): void {
  if (videoId === undefined) return collect.refuse("video's heading does not say which video it is of");
  const views = within(info, "viewCount", "videoViewCountRenderer");
  // Of a stream under way this counts those who watch now.
  const isLive = views["isLive"] === true;
  collectVideo(
    {
      id: videoId,
      title: shownText(info["title"]),
      counters: { views: isLive ? undefined : exactCount(views["viewCount"]) },
      native: isLive ? { isLive } : {},
    },
    collect,
  );
}

function readSecondaryInfo(info: Fields, { videoId }: AnswerContext, collect: Collector): void {
  if (videoId === undefined) return collect.refuse("video's description does not say which video it is of");
  const owner = within(info, "owner", "videoOwnerRenderer");
  const link = within(owner, "navigationEndpoint", "browseEndpoint");
  collectVideo(
    {
      id: videoId,
      description: shownText(info["attributedDescription"]) ?? shownText(info["description"]),
      channel: {
        id:
          idOf(link["browseId"]) ??
          idOf(within(firstRun(owner["title"]), "navigationEndpoint", "browseEndpoint")["browseId"]),
        handle: handleOf(link["canonicalBaseUrl"]),
        title: shownText(owner["title"]),
        followers: shownCount(owner["subscriberCountText"]),
        thumbnails: thumbnailsOf(within(owner, "thumbnail")["thumbnails"]),
      },
    },
    collect,
  );
}

function readChannelMetadata(metadata: Fields, _context: AnswerContext, collect: Collector): void {
  const id = idOf(metadata["externalId"]);
  if (id === undefined) return collect.refuse("channel has no id");
  collectChannel(
    {
      id,
      handle: handleOf(metadata["vanityChannelUrl"]),
      title: textOf(metadata["title"]),
      bio: textOf(metadata["description"]),
      thumbnails: thumbnailsOf(within(metadata, "avatar")["thumbnails"]),
    },
    collect,
  );
}

function readChannelRenderer(channel: Fields, _context: AnswerContext, collect: Collector): void {
  const id = idOf(channel["channelId"]);
  if (id === undefined) return collect.refuse("channel has no id");
  // The place of the subscribers now shows the handle, and that of the videos the subscribers.
  const places = [shownText(channel["subscriberCountText"]), shownText(channel["videoCountText"])];
  const followers = places.find((text) => /\bsubscribers?\b/i.test(text ?? ""));
  const badges = listOf(channel["ownerBadges"]).map((badge) => within(badge, "metadataBadgeRenderer")["style"]);
  collectChannel(
    {
      id,
      handle:
        handleOf(within(channel, "navigationEndpoint", "browseEndpoint")["canonicalBaseUrl"]) ?? handleOf(places[0]),
      title: shownText(channel["title"]),
      verified: badges.some((style) => String(style).includes("VERIFIED")) ? true : undefined,
      followers: shownCount(followers),
      thumbnails: thumbnailsOf(within(channel, "thumbnail")["thumbnails"]),
    },
    collect,
  );
}
