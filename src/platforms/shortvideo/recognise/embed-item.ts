/** Embed pages and the lists of 2019 and 2020: posts as `{itemInfos, authorInfos, …}`, accounts with a short list of theirs. */
import type { Collector } from "#api/importer.ts";
import { type Fields, isFields, readItems, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { collectItem } from "./item.ts";
import { collectAccount } from "./user.ts";

export function isEmbedItem({ itemInfos, authorInfos }: Fields): boolean {
  return isFields(itemInfos) && "id" in itemInfos && isFields(authorInfos);
}

export function collectEmbedItem(object: Fields, collect: Collector): void {
  const item = readObjectAt(object["itemInfos"]);
  const author = readObjectAt(object["authorInfos"]);
  const video = readObjectAt(item["video"]);
  const { width, height, duration } = readObjectAt(video["videoMeta"]);
  const music = readObjectAt(object["musicInfos"]);
  const pictures = readObjects(readObjectAt(object["imagePostInfo"])["displayImages"]);
  const covers = {
    cover: first(item["covers"]),
    originCover: first(item["coversOrigin"]),
    dynamicCover: first(item["coversDynamic"]),
  };
  collectItem(
    {
      id: item["id"],
      desc: item["text"],
      createTime: item["createTime"],
      isAd: item["isAd"],
      author: {
        id: author["userId"] ?? author["id"] ?? item["authorId"],
        uniqueId: author["uniqueId"],
        nickname: author["nickName"] ?? author["nickname"],
        secUid: author["secUid"],
        signature: author["signature"],
        verified: author["verified"],
        privateAccount: author["isSecret"],
        avatarLarger: first(author["coversLarger"]),
        avatarMedium: first(author["coversMedium"]),
        avatarThumb: first(author["covers"]),
      },
      authorStats: object["authorStats"],
      stats: item,
      video: pictures.length > 0 ? covers : { ...covers, playAddr: first(video["urls"]), width, height, duration },
      imagePost: {
        images: pictures.map((picture) => ({
          imageURL: { urlList: picture["urlList"] },
          imageWidth: picture["width"],
          imageHeight: picture["height"],
        })),
      },
      music: {
        id: music["musicId"] ?? item["musicId"],
        title: music["musicName"],
        authorName: music["authorName"],
        original: music["original"],
        playUrl: first(music["playUrl"]),
        coverLarge: first(music["coversLarger"]),
        coverMedium: first(music["coversMedium"]),
        coverThumb: first(music["covers"]),
      },
      challenges: readObjects(object["challengeInfoList"]).map((challenge) => ({
        id: challenge["challengeId"],
        title: challenge["challengeName"],
        desc: challenge["text"],
        isCommerce: challenge["isCommerce"],
      })),
    },
    collect,
  );
}

/** `{userInfo, videoList}` of `/embed/@name`; the web's own `userInfo` has the user one level deeper. */
export function isEmbedProfile({ userInfo, videoList }: Fields): boolean {
  return isFields(userInfo) && "uniqueId" in userInfo && Array.isArray(videoList);
}

export function collectEmbedProfile(object: Fields, collect: Collector): void {
  const info = readObjectAt(object["userInfo"]);
  const user = { ...info, avatarThumb: info["avatarThumbUrl"] };
  collectAccount(user, [info], collect);
  for (const video of readObjects(object["videoList"])) {
    const { id, desc, playAddr, coverUrl, width, height } = video;
    const { uniqueId, nickname } = info;
    collectItem(
      {
        id,
        desc,
        author: { id: info["id"], uniqueId, nickname },
        stats: video,
        video: { playAddr, cover: coverUrl, width, height },
      },
      collect,
    );
  }
}

function first(list: unknown): unknown {
  return readItems(list)[0];
}
