/** TikTok's oEmbed: caption, author and cover of a video, without a key. */
import { type CreatePlan, KEYLESS, planRequest, type Source } from "#api/source.ts";
import { readOembedId } from "../importers/oembed.ts";
import { readVideoParameter } from "./video-parameter.ts";

const HOST = "www.tiktok.com";

const planVideo: CreatePlan = ({ videoId }) => {
  const id = readVideoParameter(videoId);
  if (id === undefined) return null;
  return planRequest(`oembed ${id}`, {
    host: HOST,
    path: "/oembed",
    // Any name leads to the video: its id is unique.
    query: { url: `https://www.tiktok.com/@tiktok/video/${id}` },
    check: (document) => (readOembedId(document) === id ? null : "no oEmbed document of this video"),
  });
};

export const tiktokOembed: Source = {
  ...KEYLESS,
  name: "tiktok-oembed",
  title: "TikTok oEmbed",
  platform: "shortvideo",
  terms: "https://www.tiktok.com/legal/page/global/terms-of-service/en",
  hosts: [HOST],
  fills: { "shortvideo/post/detail": planVideo },
  // What it says of an id that no video has.
  readFailure: (status) => (status === 400 ? { kind: "missing" } : null),
};
