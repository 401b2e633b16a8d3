import type { Static } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, Integer, Text, Url, VolatileInteger, VolatileText, wireObject } from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import type { Sound } from "#domain/sound.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeSound, NativeUser } from "../native.ts";
import { ShareMeta } from "./share-meta.ts";

export const MusicInfo = wireObject({
  data: wireObject({
    extra: wireObject({ logid: VolatileText, now: VolatileInteger }),
    log_pb: wireObject({ impr_id: VolatileText }),
    musicInfo: wireObject({
      music: wireObject({
        id: Text,
        title: Text,
        authorName: Text,
        album: Text,
        duration: Integer,
        coverLarge: Url,
        coverMedium: Url,
        coverThumb: Url,
        playUrl: Url,
        isCopyrighted: Flag,
        original: Flag,
        private: Flag,
      }),
      artist: wireObject({
        id: Text,
        uniqueId: Text,
        nickname: Text,
        signature: Text,
        avatarLarger: Url,
        verified: Flag,
      }),
      stats: wireObject({ videoCount: Integer }),
    }),
    shareMeta: ShareMeta,
    statusCode: Integer,
    status_code: Integer,
    status_msg: Text,
  }),
});
export type MusicInfo = Static<typeof MusicInfo>;

/** The artist comes from the stored account, else from the sound's own capture. */
export function toMusicInfo(
  sound: Sound<NativeSound>,
  artist: Account<NativeUser> | null,
  videoCount: number,
  request: { displayTime: number; requestId: string; hide: (text: string) => string },
): Nullable<MusicInfo> {
  const { native } = sound;
  const captured = native.artist ?? {};
  const signature = artist?.bio ?? captured.signature ?? null;
  return {
    data: {
      extra: { logid: request.requestId, now: request.displayTime },
      log_pb: { impr_id: request.requestId },
      musicInfo: {
        music: {
          id: sound.id,
          title: sound.title,
          authorName: sound.artistName,
          album: native.album ?? null,
          duration: sound.durationS,
          coverLarge: native.coverLarge ?? null,
          coverMedium: native.coverMedium ?? null,
          coverThumb: native.coverThumb ?? null,
          playUrl: native.playUrl ?? null,
          isCopyrighted: native.isCopyrighted ?? null,
          original: native.original ?? null,
          private: native.private ?? null,
        },
        artist: {
          id: platformId(artist?.id ?? sound.artistId) ?? captured.id ?? null,
          uniqueId: artist?.name ?? captured.uniqueId ?? null,
          nickname: artist?.displayName ?? captured.nickname ?? null,
          signature: signature === null ? null : request.hide(signature),
          avatarLarger: artist?.native.avatarLarger ?? captured.avatarLarger ?? null,
          verified: artist?.verified ?? captured.verified ?? null,
        },
        stats: { videoCount },
      },
      shareMeta: {
        title: sound.title,
        desc:
          sound.title === null ? null : `${sound.title}${sound.artistName === null ? "" : ` by ${sound.artistName}`}`,
      },
      statusCode: 0,
      status_code: 0,
      status_msg: "",
    },
  };
}
