/** Videos as lists on the platform's pages show them. Relative times and rounded views are left to better captures. */
import type { Collector } from "#contract/importer.ts";
import { collectVideo } from "../importers/collect-video.ts";
import {
  type Fields,
  fieldsOf,
  handleOf,
  idOf,
  listOf,
  thumbnailsOf,
  videoIdOf,
  within,
} from "../importers/field-readers.ts";
import { clockLengthOf, lengthOf } from "../importers/moments.ts";
import type { AnswerContext } from "./answer-context.ts";
import { exactCount, firstRun, shownText } from "./page-text.ts";

/** One that stands on its own, out of the object that named it. */
export function isVideoRenderer(object: Fields): boolean {
  const { videoId, title, thumbnail } = object;
  const titled = "runs" in within(title) || "simpleText" in within(title);
  return videoIdOf(videoId) !== undefined && titled && Array.isArray(within(thumbnail)["thumbnails"]);
}

export function readVideoRenderer(video: Fields, { channel }: AnswerContext, collect: Collector): void {
  const id = videoIdOf(video["videoId"]);
  if (id === undefined) return collect.refuse("video has no id");
  if (video["isPlayable"] === false && video["shortBylineText"] === undefined) {
    return collect.skip("the platform's answer says that the video is deleted or private");
  }
  const byline = ["ownerText", "longBylineText", "shortBylineText"]
    .map((key) => video[key])
    .find((text) => fieldsOf(text));
  const link = within(firstRun(byline), "navigationEndpoint", "browseEndpoint");
  const styles = [...badgeStyles(video["badges"]), ...overlayStyles(video["thumbnailOverlays"])];
  const isLive = styles.some((style) => style === "LIVE" || style.endsWith("LIVE_NOW"));
  const streamed = /\bstreamed\b/i.test(shownText(video["publishedTimeText"]) ?? "");
  collectVideo(
    {
      id,
      title: shownText(video["title"]),
      channel:
        byline === undefined
          ? { ...channel }
          : { id: idOf(link["browseId"]), handle: handleOf(link["canonicalBaseUrl"]), title: shownText(byline) },
      durationS: clockLengthOf(shownText(video["lengthText"])) ?? lengthOf(video["lengthSeconds"]),
      // Of a stream under way the text counts those who watch now.
      counters: { views: isLive ? undefined : exactCount(video["viewCountText"]) },
      native: {
        thumbnails: thumbnailsOf(within(video, "thumbnail")["thumbnails"]),
        ...(isLive ? { isLive } : {}),
        ...(streamed ? { isLive: false, wasLive: true } : {}),
        type: styles.includes("SHORTS") ? "SHORT" : undefined,
      },
    },
    collect,
  );
}

function badgeStyles(value: unknown): string[] {
  return listOf(value).map((badge) => String(within(badge, "metadataBadgeRenderer")["style"]));
}

function overlayStyles(value: unknown): string[] {
  return listOf(value).map((overlay) => String(within(overlay, "thumbnailOverlayTimeStatusRenderer")["style"]));
}

/** The newer card. Playlists and channels come in the same shape. */
export function readLockup(lockup: Fields, { channel }: AnswerContext, collect: Collector): void {
  if (lockup["contentType"] !== "LOCKUP_CONTENT_TYPE_VIDEO")
    return collect.skip("a card of something else than a video");
  const id = videoIdOf(lockup["contentId"]);
  if (id === undefined) return collect.refuse("video has no id");
  const card = within(lockup, "metadata", "lockupMetadataViewModel");
  const picture = within(lockup, "contentImage", "thumbnailViewModel");
  const rows = listOf(within(card, "metadata", "contentMetadataViewModel")["metadataRows"]);
  const parts = rows.flatMap((row) => listOf(within(row)["metadataParts"])).map((part) => within(part, "text"));
  const owner = ownerOf(card, parts);
  const badges = listOf(picture["overlays"]).flatMap((overlay) => badgeTexts(overlay));
  collectVideo(
    {
      id,
      title: shownText(card["title"]),
      channel: owner ?? { ...channel },
      durationS: badges.map((text) => clockLengthOf(text)).find((length) => length !== undefined),
      native: {
        thumbnails: thumbnailsOf(within(picture, "image")["sources"]),
        ...(parts.some((text) => /^streamed\b/i.test(shownText(text) ?? "")) ? { isLive: false, wasLive: true } : {}),
      },
    },
    collect,
  );
}

function ownerOf(card: Fields, parts: readonly Fields[]) {
  const avatar = within(card, "image", "decoratedAvatarViewModel", "rendererContext", "commandContext", "onTap");
  const links = [
    ...parts.map((text) =>
      within(within(listOf(text["commandRuns"])[0], "onTap"), "innertubeCommand", "browseEndpoint"),
    ),
    within(avatar, "innertubeCommand", "browseEndpoint"),
  ];
  const link = links.find(({ browseId }) => idOf(browseId)?.startsWith("UC"));
  if (link === undefined) return undefined;
  // The first line names the channel; where it has no link, the picture has.
  return { id: idOf(link["browseId"]), handle: handleOf(link["canonicalBaseUrl"]), title: shownText(parts[0]) };
}

function badgeTexts(overlay: unknown): (string | undefined)[] {
  const { thumbnailOverlayBadgeViewModel: old, thumbnailBottomOverlayViewModel: recent } = within(overlay);
  const badges = [...listOf(within(old)["thumbnailBadges"]), ...listOf(within(recent)["badges"])];
  return badges.map((badge) => shownText(within(badge, "thumbnailBadgeViewModel")["text"]));
}

export function readShortsLockup(lockup: Fields, { channel }: AnswerContext, collect: Collector): void {
  const id = videoIdOf(within(lockup, "onTap", "innertubeCommand", "reelWatchEndpoint")["videoId"]);
  if (id === undefined) return collect.refuse("video has no id");
  collectVideo(
    {
      id,
      title: shownText(within(lockup, "overlayMetadata")["primaryText"]),
      channel: { ...channel },
      native: { thumbnails: thumbnailsOf(within(lockup, "thumbnail")["sources"]), type: "SHORT" },
    },
    collect,
  );
}
