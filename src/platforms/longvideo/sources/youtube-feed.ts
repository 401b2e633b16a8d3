/** The public feed of a channel: its newest fifteen videos, without a key. */
import type { CreatePlan, Source } from "#api/source.ts";
import { isChannelId } from "../importers/id-forms.ts";
import { parseSiteUrl } from "../site-url.ts";

const HOST = "www.youtube.com";

/** A channel by its id: the feed knows no handles. */
const planPosts: CreatePlan = ({ platform, account }) => {
  const text = (account ?? "").trim();
  const target = parseSiteUrl(text);
  const id = target?.kind === "account" && "id" in target ? target.id : text;
  if (platform?.toLowerCase() !== "longvideo" || !isChannelId(id)) return null;
  return {
    key: `feed ${id}`,
    *steps() {
      const feed = yield {
        host: HOST,
        path: "/feeds/videos.xml",
        query: { channel_id: id },
        charges: [],
        isText: true,
        check: (answer) =>
          typeof answer === "string" && answer.includes("<feed") && answer.includes(id.slice(2))
            ? null
            : "no feed of this channel",
      };
      return typeof feed === "string";
    },
  };
};

export const youtubeFeed: Source = {
  name: "youtube-feed",
  title: "YouTube channel feeds",
  platform: "longvideo",
  terms: "https://www.youtube.com/t/terms",
  credentials: [],
  hosts: [HOST],
  budgets: [],
  retentionDays: null,
  refreshAfterDays: null,
  fills: { posts: planPosts },
  authorize: () => ({}),
};
