/** Sounds: reads `music` objects, as a sound and as part of a post. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  omitUnknown,
  readFilledText,
  readFirstCount,
  readFlag,
  readId,
  readMeasure,
  readObject,
  readObjectAt,
  readObjects,
  readUrl,
  readText,
} from "#import/capture/field-readers.ts";
import type { NativeMusic } from "../native.ts";
import { collectUser, toNativeAuthor } from "./user.ts";

export function toNativeMusic(music: Fields): NativeMusic | undefined {
  return omitUnknown<NativeMusic>({
    id: readId(music["id"]),
    title: readFilledText(music["title"]),
    authorName: readFilledText(music["authorName"]),
    album: readText(music["album"]),
    duration: readMeasure(music["duration"]),
    coverLarge: readUrl(music["coverLarge"]),
    coverMedium: readUrl(music["coverMedium"]),
    coverThumb: readUrl(music["coverThumb"]),
    playUrl: readUrl(music["playUrl"]),
    original: readFlag(music["original"]),
    private: readFlag(music["private"]),
    isCopyrighted: readFlag(music["isCopyrighted"]),
  });
}

/** Returns the sound's id; undefined where the capture has only its title. */
export function collectSound(
  music: Fields,
  collect: Collector,
  more: { artist?: Fields; posts?: number | undefined } = {},
): string | undefined {
  const native = toNativeMusic(music);
  if (native?.id === undefined) return undefined;
  const { id, title, authorName, duration, ...rest } = native;
  const artist = more.artist ?? readObject(music["artist"]);
  collect.sound({
    id,
    title,
    artistName: authorName,
    artistId: artist === undefined ? undefined : collectUser(artist, [], collect),
    durationS: duration,
    counters: omitUnknown({ posts: more.posts }),
    native: omitUnknown({ ...rest, artist: artist === undefined ? undefined : toNativeAuthor(artist) }),
  });
  return id;
}

/** `{music, artist | author, artists, stats}`, as in `musicInfo`. Beside a text or pictures, the author is the post's. */
export function isMusicDetail(object: Fields): boolean {
  const { music, stats } = object;
  if ("desc" in object || "createTime" in object || "images" in object) return false;
  if (!isFields(music) || !("authorName" in music || "playUrl" in music)) return false;
  return isFields(object["artist"]) || isFields(object["author"]) || (isFields(stats) && "videoCount" in stats);
}

export function collectMusicDetail(object: Fields, collect: Collector): void {
  const artists = readObjects(object["artists"]);
  const artist = [object["artist"], object["author"], artists[0]].find(isFields);
  const posts = readFirstCount([readObjectAt(object["statsV2"]), readObjectAt(object["stats"])], "videoCount");
  const more = { posts, ...(artist === undefined ? {} : { artist }) };
  const id = collectSound(readObjectAt(object["music"]), collect, more);
  if (id === undefined) return collect.refuse("sound_without_id");
  for (const other of artists) if (other !== artist) collectUser(other, [], collect);
}

/** A bare sound, as in lists of sounds. */
export function isMusic(object: Fields): boolean {
  return (
    typeof object["authorName"] === "string" &&
    typeof object["title"] === "string" &&
    ("playUrl" in object || "coverLarge" in object)
  );
}

export function collectBareSound(music: Fields, collect: Collector, posts?: number): void {
  if (collectSound(music, collect, { posts }) === undefined) collect.refuse("sound_without_id");
}
