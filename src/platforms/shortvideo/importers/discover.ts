/** Snapshots of TikTok's former discover page: trending users, hashtags and songs, under the scraper's names. */
import type { Collector, Importer } from "#api/importer.ts";
import { type Fields, isFields, readCount, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { collectHashtag, readHashtagName } from "../recognise/hashtag.ts";
import { collectBareSound } from "../recognise/sound.ts";
import { collectAccount } from "../recognise/user.ts";

const isTrendingUser = (entry: Fields) => "userId" in entry && "secUserId" in entry;
const isTrendingHashtag = (entry: Fields) => "challengeId" in entry && "name" in entry;
const isTrendingSong = (entry: Fields) => "musicId" in entry && isFields(entry["musicInfo"]);

/** The entries of a snapshot, or one entry that was split off a large one. */
function listEntries(value: unknown): Fields[] {
  if (!isFields(value)) return [];
  const lists = [value["user"], value["hashtag"], value["music"]];
  if (lists.filter(Array.isArray).length >= 2) return lists.flatMap(readObjects);
  return [value];
}

export const discover: Importer = {
  name: "discover",
  detects: ({ kind, value }) =>
    kind === "json" &&
    listEntries(value).some((entry) => isTrendingUser(entry) || isTrendingHashtag(entry) || isTrendingSong(entry)),
  read({ value }, _file, collect) {
    for (const entry of listEntries(value)) collectEntry(entry, collect);
  },
};

function collectEntry(entry: Fields, collect: Collector): void {
  const stats = readObjectAt(entry["stats"]);
  const pictures = readObjectAt(readObjectAt(entry["avatar"])["jpeg"]);
  if (isTrendingUser(entry)) {
    const user = {
      id: entry["userId"],
      uniqueId: entry["id"],
      nickname: entry["name"],
      signature: entry["bio"],
      verified: entry["verified"],
      secUid: entry["secUserId"],
      avatarLarger: pictures["large"],
      avatarMedium: pictures["medium"],
      avatarThumb: pictures["small"],
    };
    const counts = { followerCount: stats["followers"], heartCount: stats["likes"] };
    collectAccount(user, [counts], collect);
  } else if (isTrendingHashtag(entry)) {
    const name = readHashtagName(entry["name"]);
    const challenge = { id: entry["challengeId"], desc: entry["description"], coverLarger: entry["avatar"] };
    if (name === undefined) collect.refuse("hashtag_without_name");
    else collectHashtag(name, challenge, collect, { views: readCount(stats["views"]) });
  } else if (isTrendingSong(entry)) {
    const info = readObjectAt(entry["musicInfo"]);
    const music = {
      id: entry["musicId"],
      title: info["title"],
      authorName: info["author"],
      playUrl: info["playUrl"],
      coverLarge: pictures["large"],
      coverMedium: pictures["medium"],
      coverThumb: pictures["small"],
    };
    collectBareSound(music, collect, readCount(stats["posts"]));
  } else collect.refuse("unknown_record");
}
