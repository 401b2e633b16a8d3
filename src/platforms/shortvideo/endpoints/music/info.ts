import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { hideContacts } from "#domain/contacts.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { MusicIdParameter, parseMusicId } from "../../parameters.ts";
import { MusicInfo, toMusicInfo } from "../../shapes/music-info.ts";

export const musicInfo = endpoint({
  method: "GET",
  path: "music/info",
  summary: "Sound details",
  description:
    "Returns a sound with its artist and the number of posts that use it: the platform's own count if known, otherwise the number of stored posts.",
  cost: "lookup",
  input: Type.Object({ musicId: MusicIdParameter }),
  output: MusicInfo,
  example: { musicId: "7100000000000000001" },

  async handle(ctx: Context<ShortVideoNatives>, { musicId: text }) {
    const musicId = parseMusicId(ctx, text);
    const sound = await ctx.store.getSound(musicId);
    if (sound === null) throw new ApiError("sound_not_found", `sound ${musicId} not found`);
    const artist = await getArtist(ctx.store, sound.artistId);
    const { displayTime, requestId, personal } = ctx;
    const request = { displayTime, requestId, hide: personal ? (bio: string) => bio : hideContacts };
    const videoCount = sound.counters.posts ?? (await ctx.store.countPosts("sound", musicId));
    return { lastModified: latestCapture([sound, artist]), body: toMusicInfo(sound, artist, videoCount, request) };
  },
});

/** A sound may have been captured with the artist's name only: its id may have become known since. */
async function getArtist(store: Context<ShortVideoNatives>["store"], artistId: string | null) {
  if (artistId === null) return null;
  return (await store.getAccount(artistId)) ?? (isProvisional(artistId) ? store.getAccountByName(artistId) : null);
}
