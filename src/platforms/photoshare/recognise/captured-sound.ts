/** The music or the recording that a post plays: licensed music and original sound are told apart by where they stand. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readFilledText, readId, readNumber, readObject } from "#import/capture/field-readers.ts";
import { type CapturedUser, collectUser, readUser } from "./captured-user.ts";

export interface CapturedSound {
  id: string;
  title?: string | undefined;
  artistName?: string | undefined;
  artist?: CapturedUser | undefined;
  durationS?: number | undefined;
}

export function readSound(item: Fields): CapturedSound | undefined {
  const clips = readObject(item["clips_metadata"]);
  const music = readObject(clips?.["music_info"]) ?? readObject(readObject(item["music_metadata"])?.["music_info"]);
  return licensed(readObject(music?.["music_asset_info"])) ?? original(readObject(clips?.["original_sound_info"]));
}

export function collectSound(sound: CapturedSound, collect: Collector): string {
  const { artist, ...shown } = sound;
  collect.sound({ ...shown, artistId: artist === undefined ? undefined : collectUser(artist, collect) });
  return sound.id;
}

function licensed(asset: Fields | undefined): CapturedSound | undefined {
  const id = readId(asset?.["audio_cluster_id"]) ?? readId(asset?.["id"]);
  if (asset === undefined || id === undefined) return undefined;
  return {
    id,
    title: readFilledText(asset["title"]),
    artistName: readFilledText(asset["display_artist"]),
    durationS: secondsOfMilliseconds(asset["duration_in_ms"]),
  };
}

function original(info: Fields | undefined): CapturedSound | undefined {
  const id = readId(info?.["audio_asset_id"]);
  if (info === undefined || id === undefined) return undefined;
  const artist = readUser(info["ig_artist"]);
  return {
    id,
    title: readFilledText(info["original_audio_title"]),
    artistName: artist?.displayName || artist?.name,
    artist,
    durationS: secondsOfMilliseconds(info["duration_in_ms"]),
  };
}

function secondsOfMilliseconds(value: unknown): number | undefined {
  const milliseconds = readNumber(value);
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds / 1000 : undefined;
}
