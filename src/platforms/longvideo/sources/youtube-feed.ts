/** The public feed of a channel: its newest fifteen videos, without a key. */
import { type CreatePlan, KEYLESS, planRequest, type Source } from "#api/source.ts";
import { isChannelId } from "../importers/id-forms.ts";
import { parseSiteUrl } from "../site-url.ts";

const HOST = "www.youtube.com";

/** A channel by its id: the feed knows no handles. */
const planPosts: CreatePlan = ({ platform, account }) => {
  const text = (account ?? "").trim();
  const target = parseSiteUrl(text);
  const id = target?.kind === "account" && "id" in target ? target.id : text;
  if (platform?.toLowerCase() !== "longvideo" || !isChannelId(id)) return null;
  return planRequest(`feed ${id}`, {
    host: HOST,
    path: "/feeds/videos.xml",
    query: { channel_id: id },
    isText: true,
    check: (answer) =>
      typeof answer === "string" && answer.includes("<feed") && answer.includes(id.slice(2))
        ? null
        : "no feed of this channel",
  });
};

export const youtubeFeed: Source = {
  ...KEYLESS,
  name: "youtube-feed",
  title: "YouTube channel feeds",
  platform: "longvideo",
  terms: "https://www.youtube.com/t/terms",
  hosts: [HOST],
  fills: { posts: planPosts },
};
