/** The watch page's own description of its video: title, views, likes and day above, channel and description below. */
import type { Collector } from "#api/importer.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { type Fields, readCount, readFilledText, readItems, readObjectAt } from "#import/capture/field-readers.ts";
import { collectVideo } from "../importers/collect-video.ts";
import { readHandle, readPlainId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { estimateTime, parseDisplayedDay } from "../importers/timestamps.ts";
import type { NativeVideo } from "../native.ts";
import { firstRun, readDisplayedCount, readExactCount, readPageText, readViews } from "./page-text.ts";
import { readFirstCollaborator } from "./page-videos.ts";
import type { ResponseContext } from "./response-context.ts";

export function readPrimaryInfo(info: Fields, { videoId, capturedAt }: ResponseContext, collect: Collector): void {
  const views = readObjectAt(info, "viewCount", "videoViewCountRenderer");
  const dateText = readPageText(info["dateText"]);
  const isUpcoming = ["Premieres ", "Scheduled for "].some((words) => dateText?.startsWith(words) === true);
  const isLive = !isUpcoming && (views["isLive"] === true || /^started streaming\b/i.test(dateText ?? ""));
  collectVideo(
    {
      id: videoId,
      title: readPageText(info["title"]),
      publishedAt: parseDisplayedDay(dateText) ?? estimateTime(dateText, capturedAt ?? null),
      counters: {
        // For a live stream the text counts current viewers, for one to come those who wait.
        views:
          isLive || isUpcoming ? undefined : (readViews(views["viewCount"]) ?? readDisplayedCount(views["viewCount"])),
        likes: readLikes(info),
      },
      native: isUpcoming ? { isLive } : readLiveStatus(isLive, dateText),
    },
    collect,
  );
}

/** "Streamed live on Mar 3, 2021" and "Streamed live 2 hours ago". */
function readLiveStatus(isLive: boolean, dateText: string | undefined): Pick<NativeVideo, "isLive" | "wasLive"> {
  if (isLive) return { isLive };
  return /^streamed live\b/i.test(dateText ?? "") ? { isLive: false, wasLive: true } : {};
}

/** The like button of three generations of the page. Its label has the exact count, its text a rounded one. */
function readLikes(info: Fields): Measured | undefined {
  const [first] = readItems(readObjectAt(info, "videoActions", "menuRenderer")["topLevelButtons"]);
  const model = readObjectAt(
    first,
    "segmentedLikeDislikeButtonViewModel",
    "likeButtonViewModel",
    "likeButtonViewModel",
    "toggleButtonViewModel",
    "toggleButtonViewModel",
    "defaultButtonViewModel",
    "buttonViewModel",
  );
  const segmented = readObjectAt(first, "segmentedLikeDislikeButtonRenderer", "likeButton", "toggleButtonRenderer");
  const { defaultText } = { ...readObjectAt(first, "toggleButtonRenderer"), ...segmented };
  const label = readObjectAt(defaultText, "accessibility", "accessibilityData")["label"];
  return (
    readLikeLabel(model["accessibilityText"]) ??
    readLikeLabel(label) ??
    readDisplayedCount(model["title"]) ??
    readDisplayedCount(defaultText)
  );
}

/** "1,234 likes", or "like this video along with 1,234 other people". */
function readLikeLabel(value: unknown): number | undefined {
  const text = readFilledText(value)?.replace(/^like this video along with /i, "");
  return text === undefined || !/ (?:likes?|other people)$/i.test(text) ? undefined : readExactCount(text);
}

/** Newer pages have the exact number of likes in an entity. */
export function readLikeCount(entity: Fields, { videoId }: ResponseContext, collect: Collector): void {
  const likes = readCount(entity["likeCountIfIndifferentNumber"]);
  if (videoId !== undefined && likes !== undefined) collectVideo({ id: videoId, counters: { likes } }, collect);
}

export function readSecondaryInfo(info: Fields, { videoId }: ResponseContext, collect: Collector): void {
  const owner = readObjectAt(info, "owner", "videoOwnerRenderer");
  const link = readObjectAt(owner, "navigationEndpoint", "browseEndpoint");
  const collaborator = readFirstCollaborator(readObjectAt(owner, "navigationEndpoint"));
  collectVideo(
    {
      id: videoId,
      description: readPageText(info["attributedDescription"]) ?? readPageText(info["description"]),
      // The page shortens links, and writes names in place of links to channels.
      hasShortLinks: true,
      channel: collaborator ?? {
        id:
          readPlainId(link["browseId"]) ??
          readPlainId(readObjectAt(firstRun(owner["title"]), "navigationEndpoint", "browseEndpoint")["browseId"]),
        handle: readHandle(link["canonicalBaseUrl"]),
        title: readPageText(owner["title"]),
        followers: readDisplayedCount(owner["subscriberCountText"]),
        thumbnails: readThumbnails(readObjectAt(owner, "thumbnail")["thumbnails"]),
      },
    },
    collect,
  );
}
