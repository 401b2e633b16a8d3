/** The music or the recording that a post plays: licensed music and original sound are told apart by where they stand. */
import type { Collector } from "#contract/importer.ts";
import { type CapturedUser, collectUser, readUser } from "./captured-user.ts";
import { idOf, type JsonObject, numberOf, objectOf, wordOf } from "./field-readers.ts";

export interface CapturedSound {
  id: string;
  title?: string | undefined;
  artistName?: string | undefined;
  artist?: CapturedUser | undefined;
  durationS?: number | undefined;
}

export function readSound(item: JsonObject): CapturedSound | undefined {
  const clips = objectOf(item["clips_metadata"]);
  const music = objectOf(clips?.["music_info"]) ?? objectOf(objectOf(item["music_metadata"])?.["music_info"]);
  return licensed(objectOf(music?.["music_asset_info"])) ?? original(objectOf(clips?.["original_sound_info"]));
}

export function collectSound(sound: CapturedSound, collect: Collector): string {
  const { artist, ...shown } = sound;
  collect.sound({ ...shown, artistId: artist === undefined ? undefined : collectUser(artist, collect) });
  return sound.id;
}

function licensed(asset: JsonObject | undefined): CapturedSound | undefined {
  const id = idOf(asset?.["audio_cluster_id"]) ?? idOf(asset?.["id"]);
  if (asset === undefined || id === undefined) return undefined;
  return {
    id,
    title: wordOf(asset["title"]),
    artistName: wordOf(asset["display_artist"]),
    durationS: secondsOfMilliseconds(asset["duration_in_ms"]),
  };
}

function original(info: JsonObject | undefined): CapturedSound | undefined {
  const id = idOf(info?.["audio_asset_id"]);
  if (info === undefined || id === undefined) return undefined;
  const artist = readUser(info["ig_artist"]);
  return {
    id,
    title: wordOf(info["original_audio_title"]),
    artistName: artist?.displayName || artist?.name,
    artist,
    durationS: secondsOfMilliseconds(info["duration_in_ms"]),
  };
}

function secondsOfMilliseconds(value: unknown): number | undefined {
  const milliseconds = numberOf(value);
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds / 1000 : undefined;
}
