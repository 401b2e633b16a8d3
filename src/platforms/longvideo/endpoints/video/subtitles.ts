import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { LanguageParameter } from "#api/parameters.ts";
import { Flag, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import type { LongVideoNatives } from "../../native.ts";
import { parseVideoId, VideoIdParameter } from "../../parameters.ts";
import { SubtitleLine, toSubtitleLine } from "../../shapes/subtitle-line.ts";
import { findPreferredTrack, findTrack } from "#domain/subtitle-choice.ts";

export const VideoSubtitles = wireObject({
  lang: Type.String({
    description: "Language of the subtitles; if there are none, the requested language or empty.",
  }),
  is_available: Flag,
  subtitles: Type.Array(SubtitleLine),
});

export const videoSubtitles = endpoint({
  method: "GET",
  path: "video/subtitles",
  summary: "Subtitles of a video",
  description:
    "Returns the lines of one subtitle track; `start` and `duration` are in seconds and `id` counts from 0. Without `lang`, the track is chosen by the video's own language, then by the service's default language, then by the first language code; manual tracks take precedence over automatic ones. A video without subtitles, or without any in `lang`, is not an error: `is_available` is false.",
  cost: "lookup",
  input: Type.Object({ video_id: VideoIdParameter, lang: LanguageParameter }),
  output: VideoSubtitles,
  example: { video_id: "demoVideo01" },

  async handle(ctx: Context<LongVideoNatives>, { video_id, lang }) {
    const videoId = parseVideoId(ctx, video_id);
    const post = await ctx.store.getPost(videoId);
    if (post === null) throw new ApiError("post_not_found", `video ${videoId} not found`);
    const tracks = await ctx.store.listSubtitleLanguages(videoId);
    const chosen =
      lang === undefined ? findPreferredTrack(tracks, [post.language, ctx.defaults.language]) : findTrack(tracks, lang);
    const track = chosen === null ? null : await ctx.store.getSubtitles(videoId, chosen.language);
    return {
      lastModified: latestCapture([post, track]),
      body: {
        lang: track?.language ?? lang ?? "",
        is_available: track !== null && track.lines.length > 0,
        subtitles: track?.lines.map(toSubtitleLine) ?? [],
      },
    };
  },
});
