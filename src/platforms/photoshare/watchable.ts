import { accountParser, parseHashtag, type Watchable } from "#api/watchable.ts";
import { parseSiteUrl } from "./site-url.ts";

export const WATCHABLE: Watchable = {
  account: {
    target: "name or URL",
    operation: "posts",
    toInput: (account) => ({ platform: "photoshare", account }),
    parseTarget: accountParser(parseSiteUrl),
  },
  hashtag: {
    target: "hashtag, with or without #",
    operation: "photoshare/search-hashtag",
    toInput: (hashtag) => ({ hashtag }),
    parseTarget: parseHashtag,
  },
};
