/** Posts: `itemStruct`, complete or partial, the older embedded variant, and photo posts. */
import type { Collector } from "#api/importer.ts";
import { EXCERPT } from "#domain/approximate.ts";
import type { Counters } from "#domain/record.ts";
import { Estimates } from "#import/capture/estimates.ts";
import {
  type Fields,
  isFields,
  nonEmpty,
  omitUnknown,
  readCountry,
  readFilledText,
  readFirstCount,
  readFlag,
  readId,
  readItems,
  readLanguage,
  readMeasure,
  readObjectAt,
  readObjects,
  readText,
  readUrl,
  readUrls,
  type WithUnknown,
} from "#import/capture/field-readers.ts";
import { readTime } from "#import/capture/table-cells.ts";
import type { NativePost, NativeVideo } from "../native.ts";
import { readAccountName } from "./account-name.ts";
import { collectCommentList } from "./comment.ts";
import { collectHashtag, findHashtags, readHashtagName } from "./hashtag.ts";
import { collectSound, toNativeMusic } from "./sound.ts";
import { collectUser, toNativeAuthor } from "./user.ts";

/** Matches by the counts, whose names are TikTok's own, or by video and author. The id may be missing. */
export function isItem(object: Fields): boolean {
  const { video, author } = object;
  const described = "desc" in object || "createTime" in object || "video" in object || "imagePost" in object;
  if (!described) return false;
  if (isItemStats(object["stats"]) || isItemStats(object["statsV2"])) return true;
  // Lists of URLs are of another dialect, with lengths in milliseconds.
  if (!isFields(video) || !(typeof video["playAddr"] === "string" || typeof video["downloadAddr"] === "string")) {
    return false;
  }
  return typeof author === "string" || (isFields(author) && "uniqueId" in author);
}

function isItemStats(stats: unknown): boolean {
  if (!isFields(stats) || "followerCount" in stats) return false;
  return "diggCount" in stats || "playCount" in stats || "shareCount" in stats;
}

/** `ofAccount`: whose posts these are, if they do not say so themselves. */
export function collectItem(item: Fields, collect: Collector, ofAccount?: string): void {
  const id = readId(item["id"]);
  if (id === undefined) return collect.refuse("post_without_id");
  if (readFlag(item["isAd"]) === true) return collect.skip("advertisement");
  const author = readItemAuthor(item, ofAccount);
  const text = readItemText(item);
  const video = toNativeVideo(readObjectAt(item["video"]));
  const music = readObjectAt(item["music"]);
  const native = toNativePost(item, { author: toNativeAuthor(author), video, music: toNativeMusic(music) });
  // Before the author, whose own name may be newer than the one of a sound's owner.
  const soundId = collectSound(music, collect);
  const estimates = new Estimates();
  addExcerpts(native ?? {}, listTextExtra(item), estimates);
  collect.post({
    id,
    authorId: collectUser(author, [item["authorStatsV2"], item["authorStats"]], collect),
    publishedAt: estimates.value("publishedAt", readTime(item["createTime"])),
    title: readText(readObjectAt(item["imagePost"])["title"]),
    text,
    language: readLanguage(item["textLanguage"]),
    country: readCountry(item["locationCreated"]),
    hashtags: collectHashtags(item, text, collect),
    soundId,
    taggedIds: collectTagged(item, collect),
    placeId: collectPlace(readObjectAt(item["poi"]), collect),
    category: readItems(item["diversificationLabels"]).map(readFilledText).find(Boolean),
    durationS: video?.duration,
    counters: readItemCounters([item["statsV2"], item["stats"]].filter(isFields)),
    native,
    approximate: estimates.margins,
  });
  collectCommentList(item, collect, id);
}

/** In the older embedded variant the author is a name, with the other fields beside it. */
function readItemAuthor(item: Fields, ofAccount: string | undefined): Fields {
  const { author } = item;
  if (author == null && ofAccount !== undefined) return { uniqueId: ofAccount };
  if (typeof author !== "string") return readObjectAt(author);
  return {
    id: item["authorId"],
    uniqueId: author,
    nickname: item["nickname"],
    secUid: item["authorSecId"],
    avatarThumb: item["avatarThumb"],
  };
}

function readItemText(item: Fields): string | undefined {
  const own = readText(item["desc"]);
  if (own !== undefined && own !== "") return own;
  const parts = readObjects(item["contents"]).flatMap(({ desc }) => readFilledText(desc) ?? []);
  return parts.length === 0 ? own : parts.join("\n");
}

/** Newer posts have their hashtags and mentions in `contents`, one entry per paragraph. */
function listTextExtra(item: Fields): Fields[] {
  const own = readObjects(item["textExtra"]);
  return own.length > 0 ? own : readObjects(item["contents"]).flatMap(({ textExtra }) => readObjects(textExtra));
}

function collectHashtags(item: Fields, text: string | undefined, collect: Collector): string[] {
  const found = new Map<string, { name: string; challenge: Fields }>();
  const add = (name: string | undefined, challenge: Fields) => {
    if (name !== undefined && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), { name, challenge });
  };
  for (const challenge of readObjects(item["challenges"])) add(readHashtagName(challenge["title"]), challenge);
  for (const { hashtagName, hashtagId } of listTextExtra(item)) add(readHashtagName(hashtagName), { id: hashtagId });
  if (found.size === 0) for (const name of findHashtags(text)) add(name, {});
  for (const { name, challenge } of found.values()) collectHashtag(name, challenge, collect);
  return [...found.values()].map(({ name }) => name);
}

function collectTagged(item: Fields, collect: Collector): string[] {
  const ids = listTextExtra(item).flatMap(({ userId, userUniqueId, secUid, nickname }) => {
    return collectUser({ id: userId, uniqueId: userUniqueId, secUid, nickname }, [], collect) ?? [];
  });
  return [...new Set(ids)];
}

function collectPlace(poi: Fields, collect: Collector): string | undefined {
  const id = readId(poi["id"]);
  const name = readFilledText(poi["name"]);
  if (id === undefined || name === undefined) return undefined;
  collect.place({ id, name, address: readFilledText(poi["address"]), city: readFilledText(poi["city"]) });
  return id;
}

function readItemCounters(stats: readonly Fields[]): Counters | undefined {
  return omitUnknown<Counters>({
    views: readFirstCount(stats, "playCount"),
    likes: readFirstCount(stats, "diggCount"),
    comments: readFirstCount(stats, "commentCount"),
    shares: readFirstCount(stats, "shareCount"),
    saves: readFirstCount(stats, "collectCount"),
    reposts: readFirstCount(stats, "repostCount"),
  });
}

function toNativeVideo(video: Fields): NativeVideo | undefined {
  const streams = readObjects(video["bitrateInfo"]);
  const addresses = streams.flatMap(({ PlayAddr }) => readItems(readObjectAt(PlayAddr)["UrlList"]));
  return omitUnknown<NativeVideo>({
    id: readFilledText(video["id"]),
    duration: readMeasure(video["duration"]),
    cover: readUrl(video["cover"]),
    originCover: readUrl(video["originCover"]),
    dynamicCover: readUrl(video["dynamicCover"]),
    playAddr: readUrl(video["playAddr"]) ?? addresses.map(readUrl).find(Boolean),
    downloadAddr: readUrl(video["downloadAddr"]),
    format: readFilledText(video["format"]),
    definition: readFilledText(video["definition"]),
    ratio: readFilledText(video["ratio"]),
    bitrate: readMeasure(video["bitrate"]) ?? readMeasure(streams[0]?.["Bitrate"]),
    codecType: readFilledText(video["codecType"]),
    width: readMeasure(video["width"]),
    height: readMeasure(video["height"]),
  });
}

function toNativePost(
  item: Fields,
  parts: WithUnknown<Pick<NativePost, "author" | "video" | "music">>,
): NativePost | undefined {
  const challenges = readObjects(item["challenges"]).flatMap(
    ({ id, title }) => omitUnknown({ id: readId(id), title: readFilledText(title) }) ?? [],
  );
  const textExtra = listTextExtra(item).flatMap(
    ({ hashtagName, userUniqueId }) =>
      omitUnknown({ hashtagName: readFilledText(hashtagName), userUniqueId: readAccountName(userUniqueId) }) ?? [],
  );
  const images = readObjects(readObjectAt(item["imagePost"])["images"]).flatMap((image) => toNativeImage(image) ?? []);
  return omitUnknown<NativePost>({
    ...parts,
    challenges: nonEmpty(challenges),
    textExtra: nonEmpty(textExtra),
    imagePost: images.length === 0 ? undefined : { images },
    isAd: readFlag(item["isAd"]),
  });
}

/**
 * Lists that tools shorten, such as hashtags without ids or mentions alone, must not replace TikTok's own: there a
 * challenge has an id, a part of the text its position, and a picture its size.
 */
function addExcerpts({ challenges, imagePost }: NativePost, textExtra: readonly Fields[], estimates: Estimates): void {
  const excerpts = {
    "native.challenges": challenges?.some(({ id }) => id === undefined),
    "native.textExtra": textExtra.some(({ start }) => start === undefined),
    "native.imagePost.images": imagePost?.images?.some(({ imageWidth }) => imageWidth === undefined),
  };
  for (const [path, isExcerpt] of Object.entries(excerpts)) if (isExcerpt === true) estimates.add(path, EXCERPT);
}

function toNativeImage({ imageURL, imageWidth, imageHeight }: Fields) {
  const urlList = readUrls(readObjectAt(imageURL)["urlList"]);
  if (urlList === undefined) return undefined;
  return omitUnknown({
    imageURL: { urlList },
    imageWidth: readMeasure(imageWidth),
    imageHeight: readMeasure(imageHeight),
  });
}
