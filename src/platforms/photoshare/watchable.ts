import { parseName, parseText, type Watchable } from "#api/watchable.ts";

export const WATCHABLE: Watchable = {
  account: {
    target: "name or URL",
    operation: "posts",
    toInput: (account) => ({ platform: "photoshare", account }),
    parseTarget: parseText,
  },
  hashtag: {
    target: "hashtag, with or without #",
    operation: "photoshare/search-hashtag",
    toInput: (hashtag) => ({ hashtag }),
    parseTarget: parseName,
  },
};
