/** Posts of the mobile API (`aweme_list`, `aweme_detail`), under the names of the web's `itemStruct`. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  readId,
  readItems,
  readNumber,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { collectItem } from "./item.ts";
import { toMobileStats } from "./user.ts";

export function isMobileItem(object: Fields): boolean {
  const { statistics } = object;
  return "aweme_id" in object && isFields(statistics) && ("digg_count" in statistics || "play_count" in statistics);
}

export function collectMobileItem(item: Fields, collect: Collector): void {
  collectItem(toItem(item), collect);
}

function toItem(item: Fields): Fields {
  const author = readObjectAt(item["author"]);
  const video = { ...readObjectAt(item["cover_data"]), ...readObjectAt(item["video"]) };
  const images = readObjects(readObjectAt(item["image_post_info"])["images"]).map(toImage);
  const shortened = readShortened(item);
  return {
    id: item["aweme_id"],
    desc: item["desc"],
    createTime: item["create_time"],
    isAd: item["is_ads"],
    textLanguage: item["desc_language"],
    locationCreated: item["region"],
    author: { ...author, privateAccount: author["secret"] },
    authorStats: toMobileStats(author),
    stats: toStats(readObjectAt(item["statistics"])),
    // A photo post has no video; there, `play_addr` is its sound.
    video: images.length > 0 ? toCovers(video) : { ...toCovers(video), ...toVideo(video), ...shortened.video },
    music: toMusic(readObjectAt(item["music"])),
    challenges: readObjects(item["cha_list"]).map(({ cid, cha_name, desc }) => ({ id: cid, title: cha_name, desc })),
    textExtra: readObjects(item["text_extra"] ?? item["hashtags"]).map((extra) => ({
      hashtagName: extra["hashtag_name"],
      hashtagId: extra["hashtag_id"],
      userId: extra["user_id"],
      secUid: extra["sec_uid"],
    })),
    imagePost: { images: images.length > 0 ? images : shortened.images },
  };
}

export function toStats(statistics: Fields): Fields {
  return {
    playCount: statistics["play_count"],
    diggCount: statistics["digg_count"],
    commentCount: statistics["comment_count"],
    shareCount: statistics["share_count"],
    collectCount: statistics["collect_count"],
    repostCount: statistics["repost_count"],
  };
}

/** Douyin_TikTok_Download_API keeps a post's data, but not where its media are. */
function readShortened(item: Fields): { video: Fields | undefined; images: Fields[] } {
  const { video_data, image_data } = item;
  const video = readObjectAt(video_data);
  const pictures = readItems(readObjectAt(image_data)["no_watermark_image_list"]);
  return {
    video: isFields(video_data)
      ? {
          playAddr: video["nwm_video_url_HQ"] ?? video["nwm_video_url"],
          downloadAddr: video["wm_video_url_HQ"] ?? video["wm_video_url"],
        }
      : undefined,
    images: pictures.map((url) => ({ imageURL: { urlList: [url] } })),
  };
}

function toCovers(video: Fields): Fields {
  return {
    cover: firstUrl(video["cover"]),
    originCover: firstUrl(video["origin_cover"]),
    dynamicCover: firstUrl(video["dynamic_cover"]),
  };
}

/** Here the length is in milliseconds. */
function toVideo(video: Fields): Fields {
  const milliseconds = readNumber(video["duration"]);
  return {
    duration: milliseconds === undefined ? undefined : milliseconds / 1000,
    playAddr: firstUrl(video["play_addr"]),
    downloadAddr: firstUrl(video["download_addr"]),
    ratio: video["ratio"],
    bitrate: readObjects(video["bit_rate"])[0]?.["bit_rate"],
    width: video["width"],
    height: video["height"],
  };
}

export function toMusic(music: Fields): Fields {
  const artist = { id: music["owner_id"], uniqueId: music["owner_handle"], nickname: music["owner_nickname"] };
  return {
    id: music["id_str"] ?? music["mid"] ?? music["id"],
    title: music["title"],
    authorName: music["author"],
    album: music["album"],
    duration: music["duration"],
    // `is_original` alone is false for sounds that people record themselves.
    original: music["is_original_sound"] ?? music["is_original"],
    coverLarge: firstUrl(music["cover_large"]),
    coverMedium: firstUrl(music["cover_medium"]),
    coverThumb: firstUrl(music["cover_thumb"]),
    playUrl: firstUrl(music["play_url"]),
    artist: readId(artist.id) === undefined ? undefined : artist,
  };
}

function toImage(image: Fields): Fields {
  const { url_list, width, height } = readObjectAt(image["display_image"]);
  return { imageURL: { urlList: url_list }, imageWidth: width, imageHeight: height };
}

function firstUrl(address: unknown): unknown {
  return readItems(readObjectAt(address)["url_list"])[0];
}
