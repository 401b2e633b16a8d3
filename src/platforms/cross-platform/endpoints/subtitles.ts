import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, type CrossPlatformContext } from "#api/endpoint.ts";
import { LanguageParameter, textParameter } from "#api/parameters.ts";
import { Flag, nullable, NullableText, Text, wireObject } from "#api/wire.ts";
import { findTrack } from "#domain/subtitle-choice.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import { ApiError } from "#errors";
import { findPost } from "../find-record.ts";
import { PlatformParameter, resolvePlatform } from "../platform-parameter.ts";
import { CaptureTime, toCaptureTime } from "../shapes/capture-time.ts";

const Subtitles = wireObject({
  platform: Text,
  post_id: Text,
  tracks: Type.Array(wireObject({ language: Text, automatic: Flag }), { description: "All stored tracks." }),
  language: nullable(Type.String({ description: "Of the lines; null if there is no track in `lang`." })),
  lines: Type.Array(wireObject({ start_s: Type.Number(), duration_s: Type.Number(), text: Text })),
  captured_at: CaptureTime,
  source: NullableText,
});

export const subtitles = endpoint({
  method: "GET",
  path: "subtitles",
  summary: "Subtitles of a post on any platform",
  description:
    "Returns the subtitle tracks of one post, and the lines of the track in `lang`, or of the first one. A manual track takes precedence over an automatic one in the same language.",
  cost: "lookup",
  input: Type.Object({
    platform: PlatformParameter,
    id: textParameter("Id of the post, its URL on the platform's site, or the code in that URL.", {
      maxLength: 2_048,
    }),
    lang: LanguageParameter,
  }),
  output: Subtitles,
  example: { platform: "longvideo", id: "demoVideo01" },

  async handle(ctx: CrossPlatformContext, { platform: name, id: text, lang }) {
    const { platform, store } = resolvePlatform(ctx, name);
    const post = await findPost(ctx, { platform, store }, text);
    // Subtitles may be stored without their post.
    const postId = post?.id ?? text;
    const tracks = await store.listSubtitleLanguages(postId);
    if (post === null && tracks.length === 0) throw new ApiError("post_not_found", `post ${text} not found`);
    const chosen = (lang === undefined ? tracks[0] : findTrack(tracks, lang)) ?? null;
    const track = chosen === null ? null : await store.getSubtitles(postId, chosen.language);
    return {
      lastModified: latestCapture([post, track]),
      body: {
        platform,
        post_id: postId,
        tracks: tracks.map(({ language: spoken, automatic }) => ({ language: spoken, automatic })),
        language: track?.language ?? null,
        lines: (track?.lines ?? []).map((line) => ({
          start_s: roundToMilliseconds(line.startS),
          duration_s: roundToMilliseconds(line.durationS),
          text: line.text,
        })),
        captured_at: track === null ? null : toCaptureTime(track.capturedAt),
        source: track?.source ?? null,
      },
    };
  },
});
