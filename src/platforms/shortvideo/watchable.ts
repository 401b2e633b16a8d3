import { accountParser, parseHashtag, parseText, type Watchable } from "#api/watchable.ts";
import { parseSiteUrl } from "./site-url.ts";

export const WATCHABLE: Watchable = {
  account: {
    target: "name or URL",
    operation: "shortvideo/user/info-with-region",
    toInput: (uniqueId) => ({ uniqueId }),
    parseTarget: accountParser(parseSiteUrl),
  },
  hashtag: {
    target: "hashtag, with or without #",
    operation: "shortvideo/search/general",
    toInput: (name) => ({ keyword: `#${name}` }),
    parseTarget: parseHashtag,
  },
  search: {
    target: "words",
    operation: "shortvideo/search/general",
    toInput: (keyword) => ({ keyword }),
    parseTarget: parseText,
  },
};
