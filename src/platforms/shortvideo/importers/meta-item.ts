/**
 * The dialect of scrapers derived from tiktok-scraper: `authorMeta`, `musicMeta`, `videoMeta`, and counts at the top
 * level. Mapped to TikTok's own names, so that one reader handles all posts.
 */
import {
  type Fields,
  isFields,
  readFilledText,
  readItems,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { videoIdInUrl } from "../video-url.ts";

export function toAuthor(meta: Fields): Fields {
  const { bioLink } = meta;
  return {
    ...meta,
    uniqueId: meta["name"],
    nickname: meta["nickName"],
    avatarLarger: meta["originalAvatarUrl"] ?? meta["avatar"],
    bioLink: typeof bioLink === "string" ? { link: bioLink } : bioLink,
  };
}

export function toAuthorStats(meta: Fields): Fields {
  return {
    followerCount: meta["fans"],
    followingCount: meta["following"],
    heartCount: meta["heart"],
    videoCount: meta["video"],
    friendCount: meta["friends"],
    diggCount: meta["digg"],
  };
}

/** What both dialects share; the caller adds the media URLs. */
export function toMetaItem(record: Fields): Fields {
  const author = readObjectAt(record["authorMeta"]);
  const music = readObjectAt(record["musicMeta"]);
  return {
    // Spreadsheets round long ids.
    id: videoIdInUrl(record["webVideoUrl"]) ?? record["id"],
    desc: record["text"],
    createTime: record["createTime"] ?? record["createTimeISO"],
    isAd: record["isAd"],
    author: toAuthor(author),
    authorStats: toAuthorStats(author),
    stats: record,
    music: {
      ...music,
      id: music["musicId"],
      title: music["musicName"],
      authorName: music["musicAuthor"],
      // The tools write "" for unknown.
      album: readFilledText(music["musicAlbum"]),
      original: music["musicOriginal"],
      coverMedium: music["coverMedium"] ?? music["originalCoverMediumUrl"] ?? music["coverMediumUrl"],
    },
    challenges: readItems(record["hashtags"]).map((hashtag) =>
      isFields(hashtag)
        ? {
            id: hashtag["id"],
            title: hashtag["name"],
            desc: readFilledText(hashtag["title"]),
            coverLarger: hashtag["cover"],
          }
        : { title: hashtag },
    ),
    textExtra: readMentions(record),
  };
}

function readMentions(record: Fields): Fields[] {
  const detailed = readObjects(record["detailedMentions"]);
  if (detailed.length > 0) {
    return detailed.map(({ id, name, nickName }) => ({ userId: id, userUniqueId: name, nickname: nickName }));
  }
  return readItems(record["mentions"]).map((mention) => ({ userUniqueId: mention }));
}
