/** The sound of a post: licensed music or an original recording, depending on where it is found. */
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
  return (
    readLicensedMusic(readObject(music?.["music_asset_info"])) ??
    readOriginalSound(readObject(clips?.["original_sound_info"])) ??
    readAttribution(readObject(item["clips_music_attribution_info"]))
  );
}

export function collectSound(sound: CapturedSound, collect: Collector): string {
  const { artist, ...rest } = sound;
  collect.sound({ ...rest, artistId: artist === undefined ? undefined : collectUser(artist, collect) });
  return sound.id;
}

function readLicensedMusic(asset: Fields | undefined): CapturedSound | undefined {
  const id = readId(asset?.["audio_cluster_id"]) ?? readId(asset?.["id"]);
  if (asset === undefined || id === undefined) return undefined;
  return {
    id,
    title: readFilledText(asset["title"]),
    artistName: readFilledText(asset["display_artist"]),
    durationS: readMilliseconds(asset["duration_in_ms"]),
  };
}

function readOriginalSound(info: Fields | undefined): CapturedSound | undefined {
  const id = readId(info?.["audio_asset_id"]);
  if (info === undefined || id === undefined) return undefined;
  const artist = readUser(info["ig_artist"]);
  return {
    id,
    title: readFilledText(info["original_audio_title"]),
    artistName: artist?.displayName || artist?.name,
    artist,
    durationS: readMilliseconds(info["duration_in_ms"]),
  };
}

/** What the graph format says of either. */
function readAttribution(info: Fields | undefined): CapturedSound | undefined {
  const id = readId(info?.["audio_id"]);
  if (info === undefined || id === undefined) return undefined;
  return { id, title: readFilledText(info["song_name"]), artistName: readFilledText(info["artist_name"]) };
}

function readMilliseconds(value: unknown): number | undefined {
  const milliseconds = readNumber(value);
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds / 1000 : undefined;
}
