/** Posts: `itemStruct` in all its completeness, the older embedded variant, and photo posts. */
import type { Collector } from "#contract/importer.ts";
import type { Counters } from "#domain/record.ts";
import type { NativePost, NativeVideo } from "../native.ts";
import { collectCommentList } from "./comment.ts";
import {
  type Fields,
  fieldsOf,
  firstCount,
  isFields,
  knownFields,
  listOf,
  objectsOf,
  readAddress,
  readCountry,
  readFilledText,
  readFlag,
  readId,
  readLanguage,
  readMeasure,
  readName,
  readSeconds,
  readText,
} from "./field-readers.ts";
import { collectHashtag, hashtagsIn, readHashtagName } from "./hashtag.ts";
import { collectSound, toNativeMusic } from "./sound.ts";
import { collectUser, toNativeAuthor } from "./user.ts";

/** By its counts, whose names no other platform has, or by its video and author. The id need not be there. */
export function isItem(object: Fields): boolean {
  const { video, author } = object;
  const described = "desc" in object || "createTime" in object || "video" in object || "imagePost" in object;
  if (!described) return false;
  if (isItemStats(object["stats"]) || isItemStats(object["statsV2"])) return true;
  if (!isFields(video) || !("playAddr" in video || "downloadAddr" in video)) return false;
  return typeof author === "string" || (isFields(author) && "uniqueId" in author);
}

function isItemStats(stats: unknown): boolean {
  if (!isFields(stats) || "followerCount" in stats) return false;
  return "diggCount" in stats || "playCount" in stats || "shareCount" in stats;
}

export function collectItem(item: Fields, collect: Collector): void {
  const id = readId(item["id"]);
  if (id === undefined) {
    collect.refuse("a post has no id");
    return;
  }
  if (readFlag(item["isAd"]) === true) {
    collect.skip("advertisement");
    return;
  }
  const author = authorOf(item);
  const text = textOf(item);
  const video = toNativeVideo(fieldsOf(item["video"]));
  const music = fieldsOf(item["music"]);
  collect.post({
    id,
    authorId: collectUser(author, [item["authorStatsV2"], item["authorStats"]], collect),
    publishedAt: readSeconds(item["createTime"]),
    title: readFilledText(fieldsOf(item["imagePost"])["title"]),
    text,
    language: readLanguage(item["textLanguage"]),
    country: readCountry(item["locationCreated"]),
    hashtags: collectHashtags(item, text, collect),
    soundId: collectSound(music, collect),
    taggedIds: collectTagged(item, collect),
    placeId: collectPlace(fieldsOf(item["poi"]), collect),
    category: listOf(item["diversificationLabels"]).map(readFilledText).find(Boolean),
    durationS: video?.duration,
    counters: itemCounters([item["statsV2"], item["stats"]].filter(isFields)),
    native: toNativePost(item, { author: toNativeAuthor(author), video, music: toNativeMusic(music) }),
  });
  collectCommentList(item, collect, id);
}

/** In the older embedded variant the author is a name, and what else is known of them stands beside it. */
function authorOf(item: Fields): Fields {
  const { author } = item;
  if (typeof author !== "string") return fieldsOf(author);
  return {
    id: item["authorId"],
    uniqueId: author,
    nickname: item["nickname"],
    secUid: item["authorSecId"],
    avatarThumb: item["avatarThumb"],
  };
}

function textOf(item: Fields): string | undefined {
  const own = readText(item["desc"]);
  if (own !== undefined && own !== "") return own;
  const parts = objectsOf(item["contents"]).flatMap(({ desc }) => readFilledText(desc) ?? []);
  return parts.length === 0 ? own : parts.join("\n");
}

/** Newer posts carry their hashtags and mentions in `contents`, one entry a paragraph. */
function textExtraOf(item: Fields): Fields[] {
  const own = objectsOf(item["textExtra"]);
  return own.length > 0 ? own : objectsOf(item["contents"]).flatMap(({ textExtra }) => objectsOf(textExtra));
}

function collectHashtags(item: Fields, text: string | undefined, collect: Collector): string[] {
  const found = new Map<string, { name: string; challenge: Fields }>();
  const add = (name: string | undefined, challenge: Fields) => {
    if (name !== undefined && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), { name, challenge });
  };
  for (const challenge of objectsOf(item["challenges"])) add(readHashtagName(challenge["title"]), challenge);
  for (const { hashtagName, hashtagId } of textExtraOf(item)) add(readHashtagName(hashtagName), { id: hashtagId });
  if (found.size === 0) for (const name of hashtagsIn(text)) add(name, {});
  for (const { name, challenge } of found.values()) collectHashtag(name, challenge, collect);
  return [...found.values()].map(({ name }) => name);
}

function collectTagged(item: Fields, collect: Collector): string[] {
  const ids = textExtraOf(item).flatMap(({ userId, userUniqueId, secUid, nickname }) => {
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

function itemCounters(stats: readonly Fields[]): Counters | undefined {
  return knownFields<Counters>({
    views: firstCount(stats, "playCount"),
    likes: firstCount(stats, "diggCount"),
    comments: firstCount(stats, "commentCount"),
    shares: firstCount(stats, "shareCount"),
    saves: firstCount(stats, "collectCount"),
    reposts: firstCount(stats, "repostCount"),
  });
}

function toNativeVideo(video: Fields): NativeVideo | undefined {
  const streams = objectsOf(video["bitrateInfo"]).flatMap(({ PlayAddr }) => listOf(fieldsOf(PlayAddr)["UrlList"]));
  return knownFields<NativeVideo>({
    id: readFilledText(video["id"]),
    duration: readMeasure(video["duration"]),
    cover: readAddress(video["cover"]),
    originCover: readAddress(video["originCover"]),
    dynamicCover: readAddress(video["dynamicCover"]),
    playAddr: readAddress(video["playAddr"]) ?? streams.map(readAddress).find(Boolean),
    downloadAddr: readAddress(video["downloadAddr"]),
    format: readFilledText(video["format"]),
    definition: readFilledText(video["definition"]),
    ratio: readFilledText(video["ratio"]),
    bitrate: readMeasure(video["bitrate"]),
    codecType: readFilledText(video["codecType"]),
    width: readMeasure(video["width"]),
    height: readMeasure(video["height"]),
  });
}

function toNativePost(item: Fields, parts: Pick<NativePost, "author" | "video" | "music">): NativePost | undefined {
  const challenges = objectsOf(item["challenges"]).flatMap(
    ({ id, title }) => knownFields({ id: readId(id), title: readFilledText(title) }) ?? [],
  );
  const textExtra = textExtraOf(item).flatMap(
    ({ hashtagName, userUniqueId }) =>
      knownFields({ hashtagName: readFilledText(hashtagName), userUniqueId: readName(userUniqueId) }) ?? [],
  );
  const images = objectsOf(fieldsOf(item["imagePost"])["images"]).flatMap((image) => toNativeImage(image) ?? []);
  return knownFields<NativePost>({
    ...parts,
    challenges: challenges.length === 0 ? undefined : challenges,
    textExtra: textExtra.length === 0 ? undefined : textExtra,
    imagePost: images.length === 0 ? undefined : { images },
    isAd: readFlag(item["isAd"]),
  });
}

function toNativeImage({ imageURL, imageWidth, imageHeight }: Fields) {
  const urlList = listOf(fieldsOf(imageURL)["urlList"]).flatMap((address) => readAddress(address) ?? []);
  if (urlList.length === 0) return undefined;
  return knownFields({
    imageURL: { urlList },
    imageWidth: readMeasure(imageWidth),
    imageHeight: readMeasure(imageHeight),
  });
}
