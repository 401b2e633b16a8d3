/** Recognises the objects that YouTube's pages are made of, one at a time. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readFilledText,
  readItems,
  readObject,
  readObjectAt,
  readText,
} from "#import/capture/field-readers.ts";
import { isChannelId, readHandle, readPlainId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { collectChannel } from "../importers/collect-video.ts";
import type { ResponseContext } from "./response-context.ts";
import { isPlayerResponse, readPlayerResponse } from "./player-response.ts";
import { readCommentEntity, readCommentRenderer, readCommentsHeader } from "./page-comments.ts";
import { isPageText, readDisplayedCount, readPageText } from "./page-text.ts";
import { isVideoRenderer, readLockup, readShortsLockup, readVideoRenderer } from "./page-videos.ts";
import { readLikeCount, readPrimaryInfo, readSecondaryInfo } from "./watch-page.ts";

type Read = (object: Fields, context: ResponseContext, collect: Collector) => void;

/** By the key under which the parent holds the object. */
const READERS: Record<string, Read> = {
  videoRenderer: readVideoRenderer,
  compactVideoRenderer: readVideoRenderer,
  gridVideoRenderer: readVideoRenderer,
  playlistVideoRenderer: readVideoRenderer,
  // Shorts until 2024, and the mobile site's videos: they have a headline instead of a title.
  reelItemRenderer: readVideoRenderer,
  videoWithContextRenderer: readVideoRenderer,
  lockupViewModel: readLockup,
  shortsLockupViewModel: readShortsLockup,
  commentEntityPayload: readCommentEntity,
  commentRenderer: readCommentRenderer,
  commentsHeaderRenderer: readCommentsHeader,
  videoPrimaryInfoRenderer: readPrimaryInfo,
  videoSecondaryInfoRenderer: readSecondaryInfo,
  likeCountEntity: readLikeCount,
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

export function recognisePageObject(object: Fields, context: ResponseContext, collect: Collector): boolean {
  for (const name of ADVERTISEMENTS) {
    if (readObject(object[name]) === undefined) continue;
    collect.skip("advertisement");
    return true;
  }
  if ("replayChatItemAction" in object) {
    collect.skip("a message of a live chat");
    return true;
  }
  let recognised = false;
  for (const [name, read] of Object.entries(READERS)) {
    const part = readObject(object[name]);
    if (part === undefined) continue;
    read(part, context, collect);
    recognised = true;
  }
  if (recognised) return true;
  if (isPlayerResponse(object)) {
    readPlayerResponse(object, collect);
    return true;
  }
  const read = findBareReader(object);
  read?.(object, context, collect);
  return read !== undefined;
}

/** Tools such as scrapetube write the objects without the parent's key. */
function findBareReader(object: Fields): Read | undefined {
  const [card, short] = [readObjectAt(object, "metadata"), readObjectAt(object, "onTap", "innertubeCommand")];
  if (isVideoRenderer(object)) return readVideoRenderer;
  if ("contentType" in object && "lockupMetadataViewModel" in card) return readLockup;
  if ("overlayMetadata" in object && "reelWatchEndpoint" in short) return readShortsLockup;
  const isPictured = Array.isArray(readObjectAt(object, "thumbnail")["thumbnails"]);
  return isPictured && isChannelId(object["channelId"]) && isPageText(object["title"])
    ? readChannelRenderer
    : undefined;
}

function readChannelMetadata(metadata: Fields, _context: ResponseContext, collect: Collector): void {
  const id = readPlainId(metadata["externalId"]);
  if (id === undefined) return collect.refuse("account_without_id");
  collectChannel(
    {
      id,
      handle: readHandle(metadata["vanityChannelUrl"]),
      title: readFilledText(metadata["title"]),
      bio: readText(metadata["description"]),
      thumbnails: readThumbnails(readObjectAt(metadata, "avatar")["thumbnails"]),
    },
    collect,
  );
}

function readChannelRenderer(channel: Fields, _context: ResponseContext, collect: Collector): void {
  const id = readPlainId(channel["channelId"]);
  if (id === undefined) return collect.refuse("account_without_id");
  // Newer pages put the handle into the subscriber field, and the subscribers into the video field.
  const texts = [readPageText(channel["subscriberCountText"]), readPageText(channel["videoCountText"])];
  const followers = texts.find((text) => /\bsubscribers?\b/i.test(text ?? ""));
  const badges = readItems(channel["ownerBadges"]).map(
    (badge) => readObjectAt(badge, "metadataBadgeRenderer")["style"],
  );
  collectChannel(
    {
      id,
      handle:
        readHandle(readObjectAt(channel, "navigationEndpoint", "browseEndpoint")["canonicalBaseUrl"]) ??
        readHandle(texts[0]),
      title: readPageText(channel["title"]),
      verified: badges.some((style) => String(style).includes("VERIFIED")) ? true : undefined,
      followers: readDisplayedCount(followers),
      thumbnails: readThumbnails(readObjectAt(channel, "thumbnail")["thumbnails"]),
    },
    collect,
  );
}
