import { accountParser, parseHashtag, parseText, type Watchable } from "#api/watchable.ts";
import { parseCountry } from "#domain/country.ts";
import { isChannelId } from "./importers/id-forms.ts";
import { SECTIONS } from "./sections.ts";
import { parseSiteUrl } from "./site-url.ts";

const DEFAULT_SECTION = "Now";

export const WATCHABLE: Watchable = {
  channel: {
    target: "id, handle or URL",
    operation: "posts",
    toInput: (account) => ({ platform: "longvideo", account }),
    parseTarget: accountParser(parseSiteUrl, isChannelId),
  },
  hashtag: {
    target: "hashtag, with or without #",
    operation: "longvideo/search",
    toInput: (name) => ({ query: `#${name}` }),
    parseTarget: parseHashtag,
  },
  search: { target: "words", operation: "longvideo/search", toInput: (query) => ({ query }), parseTarget: parseText },
  chart: {
    target: `country code, or country and section, such as US/Music (${SECTIONS.join(", ")})`,
    operation: "longvideo/trending",
    toInput(target) {
      const [country = "", section = DEFAULT_SECTION] = target.split("/");
      return { country, section };
    },
    parseTarget(text) {
      const [code = "", name = DEFAULT_SECTION, ...rest] = text.trim().split("/");
      const country = parseCountry(code);
      const section = SECTIONS.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
      return country === null || section === undefined || rest.length > 0 ? null : `${country}/${section}`;
    },
  },
};
