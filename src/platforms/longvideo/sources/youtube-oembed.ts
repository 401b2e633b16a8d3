/** YouTube's oEmbed: title, channel and picture of a video, without a key. */
import { type CreatePlan, KEYLESS, planRequest, type Source } from "#api/source.ts";
import { readOembedId } from "../importers/oembed.ts";
import { readVideoParameter } from "./video-parameter.ts";

const HOST = "www.youtube.com";

const planVideo: CreatePlan = ({ video_id }) => {
  const id = readVideoParameter(video_id);
  if (id === undefined) return null;
  return planRequest(`oembed ${id}`, {
    host: HOST,
    path: "/oembed",
    query: { url: `https://www.youtube.com/watch?v=${id}`, format: "json" },
    check: (document) => (readOembedId(document) === id ? null : "no oEmbed document of this video"),
  });
};

export const youtubeOembed: Source = {
  ...KEYLESS,
  name: "youtube-oembed",
  title: "YouTube oEmbed",
  platform: "longvideo",
  terms: "https://www.youtube.com/t/terms",
  hosts: [HOST],
  fills: { "longvideo/video/details": planVideo },
  readFailure(status) {
    // What it says of an id that no video has.
    if (status === 400) return { kind: "missing" };
    return status === 401 || status === 403 ? { kind: "refused", detail: "the video may not be embedded" } : null;
  },
};
