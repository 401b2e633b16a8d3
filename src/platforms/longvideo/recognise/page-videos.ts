/** Videos in lists on YouTube's pages, mostly with rounded views and relative times. */
import type { Collector } from "#api/importer.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { type Fields, readItems, readMeasure, readObject, readObjectAt } from "#import/capture/field-readers.ts";
import { readHandle, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { collectVideo, type CapturedChannel } from "../importers/collect-video.ts";
import { estimateTime } from "../importers/timestamps.ts";
import { parseClockDuration } from "#import/capture/table-cells.ts";
import type { ResponseContext } from "./response-context.ts";
import { firstRun, isPageText, readDisplayedCount, readPageText, readViews } from "./page-text.ts";

/** A bare one, without the parent's key. */
export function isVideoRenderer(object: Fields): boolean {
  const { videoId, title, headline, thumbnail } = object;
  const isTitled = isPageText(title) || isPageText(headline);
  return readVideoId(videoId) !== undefined && isTitled && Array.isArray(readObjectAt(thumbnail)["thumbnails"]);
}

export function readVideoRenderer(video: Fields, { channel, capturedAt }: ResponseContext, collect: Collector): void {
  const id = readVideoId(video["videoId"]);
  if (id === undefined) return collect.refuse("post_without_id");
  if (video["isPlayable"] === false && video["shortBylineText"] === undefined) {
    return collect.skip("a video that is deleted or private");
  }
  const byline = ["ownerText", "longBylineText", "shortBylineText"]
    .map((key) => video[key])
    .find((text) => readObject(text));
  const bylineCommand = readObjectAt(firstRun(byline), "navigationEndpoint");
  const link = readObjectAt(bylineCommand, "browseEndpoint");
  const overlays = readItems(video["thumbnailOverlays"]).map((overlay) =>
    readObjectAt(overlay, "thumbnailOverlayTimeStatusRenderer"),
  );
  const styles = [...badgeStyles(video["badges"]), ...overlays.map(({ style }) => String(style))];
  const isLive = styles.some((style) => style === "LIVE" || style.endsWith("LIVE_NOW"));
  const isUpcoming = styles.includes("UPCOMING") || "upcomingEventData" in video;
  const isShort = styles.includes("SHORTS") || "reelWatchEndpoint" in readObjectAt(video, "navigationEndpoint");
  // Playlists have views and time in one line: "26K views", " • ", "17 hours ago".
  const line = readItems(readObjectAt(video, "videoInfo")["runs"]).map(readPageText);
  const times = [readPageText(video["publishedTimeText"]), ...line];
  const streamed = times.some((text) => /\bstreamed\b/i.test(text ?? ""));
  collectVideo(
    {
      id,
      title: readPageText(video["title"]) ?? readPageText(video["headline"]),
      channel:
        byline === undefined
          ? { ...channel }
          : (readFirstCollaborator(bylineCommand) ?? {
              id: readPlainId(link["browseId"]),
              handle: readHandle(link["canonicalBaseUrl"]),
              title: readPageText(byline),
            }),
      publishedAt: first(times, (text) => estimateTime(text, capturedAt ?? null)),
      durationS:
        parseClockDuration(readPageText(video["lengthText"])) ??
        readMeasure(video["lengthSeconds"]) ??
        first(overlays, ({ text }) => parseClockDuration(readPageText(text))),
      counters: { views: isLive || isUpcoming ? undefined : readListedViews(video, line) },
      hasFewThumbnails: true,
      native: {
        thumbnails: readThumbnails(readObjectAt(video, "thumbnail")["thumbnails"]),
        ...(isLive || isUpcoming ? { isLive } : {}),
        ...(streamed ? { isLive: false, wasLive: true } : {}),
        type: isShort ? "SHORT" : undefined,
      },
    },
    collect,
  );
}

/** For a live stream the text counts current viewers, for one to come those who wait. */
function readListedViews(video: Fields, line: readonly unknown[]): Measured | undefined {
  const { viewCountText, shortViewCountText } = video;
  return (
    readViews(viewCountText) ??
    readDisplayedCount(viewCountText) ??
    readDisplayedCount(shortViewCountText) ??
    first(line, readViews)
  );
}

/** The first known result. */
function first<Item, Found>(items: readonly Item[], read: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = read(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function badgeStyles(value: unknown): string[] {
  return readItems(value).map((badge) => String(readObjectAt(badge, "metadataBadgeRenderer")["style"]));
}

/** The newer card, which playlists and channels use too. */
export function readLockup(lockup: Fields, { channel, capturedAt }: ResponseContext, collect: Collector): void {
  if (lockup["contentType"] !== "LOCKUP_CONTENT_TYPE_VIDEO") return collect.skip("a card that is not a video");
  const card = readObjectAt(lockup, "metadata", "lockupMetadataViewModel");
  const picture = readObjectAt(lockup, "contentImage", "thumbnailViewModel");
  const rows = readItems(readObjectAt(card, "metadata", "contentMetadataViewModel")["metadataRows"]);
  const parts = rows
    .flatMap((row) => readItems(readObjectAt(row)["metadataParts"]))
    .map((part) => readObjectAt(part, "text"));
  const owner = readOwner(card, parts);
  const badges = readItems(picture["overlays"]).flatMap(listBadges);
  const isLive = badges.some(({ badgeStyle }) => badgeStyle === "THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE");
  collectVideo(
    {
      id: readVideoId(lockup["contentId"]),
      title: readPageText(card["title"]),
      channel: owner ?? { ...channel },
      publishedAt: first(parts, (text) => estimateTime(readPageText(text), capturedAt ?? null)),
      durationS: first(badges, ({ text }) => parseClockDuration(readPageText(text))),
      counters: { views: first(parts, readViews) },
      hasFewThumbnails: true,
      native: {
        thumbnails: readThumbnails(readObjectAt(picture, "image")["sources"]),
        ...(isLive ? { isLive } : {}),
        ...(parts.some((text) => /^streamed\b/i.test(readPageText(text) ?? ""))
          ? { isLive: false, wasLive: true }
          : {}),
      },
    },
    collect,
  );
}

function readOwner(card: Fields, parts: readonly Fields[]): CapturedChannel | undefined {
  const { decoratedAvatarViewModel: avatar, avatarStackViewModel: avatars } = readObjectAt(card, "image");
  const commands = [...parts.map(readLinkCommand), readTapCommand(avatar), readTapCommand(avatars)];
  const collaborator = first(commands, readFirstCollaborator);
  if (collaborator !== undefined) return collaborator;
  // The first line names the channel; where it has no link, the avatar has one.
  const title = readPageText(parts[0]);
  const link = commands.map(({ browseEndpoint }) => readObjectAt(browseEndpoint)).find(isChannelLink);
  if (link === undefined) return avatars === undefined ? undefined : { title };
  return { id: readPlainId(link["browseId"]), handle: readHandle(link["canonicalBaseUrl"]), title };
}

/** Channels that published a video together share a byline, which opens a list of them; the first has uploaded it. */
export function readFirstCollaborator(command: Fields): CapturedChannel | undefined {
  const dialog = readObjectAt(command, "showDialogCommand", "panelLoadingStrategy", "inlineContent", "dialogViewModel");
  const { listItems } = readObjectAt(dialog, "customContent", "listViewModel");
  const item = readObjectAt(readItems(listItems)[0], "listItemViewModel");
  const link = [readTapCommand(item), readLinkCommand(readObjectAt(item, "title"))]
    .map(({ browseEndpoint }) => readObjectAt(browseEndpoint))
    .find(isChannelLink);
  if (link === undefined) return undefined;
  const { browseId, canonicalBaseUrl } = link;
  return { id: readPlainId(browseId), handle: readHandle(canonicalBaseUrl), title: readPageText(item["title"]) };
}

function readTapCommand(element: unknown): Fields {
  return readObjectAt(element, "rendererContext", "commandContext", "onTap", "innertubeCommand");
}

function readLinkCommand(text: Fields): Fields {
  return readObjectAt(readItems(text["commandRuns"])[0], "onTap", "innertubeCommand");
}

function isChannelLink({ browseId }: Fields): boolean {
  return readPlainId(browseId)?.startsWith("UC") === true;
}

function listBadges(overlay: unknown): Fields[] {
  const { thumbnailOverlayBadgeViewModel: old, thumbnailBottomOverlayViewModel: recent } = readObjectAt(overlay);
  const badges = [...readItems(readObjectAt(old)["thumbnailBadges"]), ...readItems(readObjectAt(recent)["badges"])];
  return badges.map((badge) => readObjectAt(badge, "thumbnailBadgeViewModel"));
}

export function readShortsLockup(lockup: Fields, { channel }: ResponseContext, collect: Collector): void {
  const { sources: old } = readObjectAt(lockup, "thumbnail");
  const { sources: recent } = readObjectAt(lockup, "thumbnailViewModel", "thumbnailViewModel", "image");
  collectVideo(
    {
      id: readVideoId(readObjectAt(lockup, "onTap", "innertubeCommand", "reelWatchEndpoint")["videoId"]),
      title: readPageText(readObjectAt(lockup, "overlayMetadata")["primaryText"]),
      channel: { ...channel },
      counters: { views: readViews(readObjectAt(lockup, "overlayMetadata")["secondaryText"]) },
      hasFewThumbnails: true,
      native: { thumbnails: readThumbnails(old ?? recent), type: "SHORT" },
    },
    collect,
  );
}
