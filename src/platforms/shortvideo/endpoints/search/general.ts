import { matchesSchema } from "#api/matches-schema.ts";
import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture, parameterError } from "#api/endpoint.ts";
import { searchHeaders } from "#api/response-headers.ts";
import { PAGE_TOKEN_LENGTH, textParameter } from "#api/parameters.ts";
import { Integer, NullableObject, Text, VolatileInteger, VolatileText, wireObject } from "#api/wire.ts";
import { parseSearchState, type SearchState, formatSearchState } from "#domain/search-state.ts";
import type { ShortVideoNatives } from "../../native.ts";
import { CursorParameter } from "../../parameters.ts";
import { SearchResult, toSearchResult } from "../../shapes/search-result.ts";

const SearchGeneral = wireObject({
  ad_info: wireObject({}),
  backtrace: Text,
  cursor: Type.Integer({ description: "Cursor of the next page." }),
  data: Type.Array(SearchResult),
  extra: wireObject({ logid: VolatileText, now: VolatileInteger, search_request_id: VolatileText }),
  global_doodle_config: wireObject({ feedback_survey: NullableObject }),
  has_more: Type.Integer({ description: "1 if there are more results." }),
  log_pb: wireObject({
    impr_id: Type.String({ description: "Send it as `search_id` to get the next page.", "x-volatile": true }),
  }),
  qc: Text,
  status_code: Integer,
});

const PAGE_SIZE = 12;

/** What a search_id carries: the results returned so far, and the time that freshness is measured from. */
const SearchId = Type.Object({
  state: Type.String(),
  now: Type.Number(),
  /** The spelling that the first page searched, so that the others do too; undefined for the keyword as typed. */
  corrected: Type.Optional(Type.String()),
});

interface Search {
  state: SearchState;
  now: number;
  corrected: string | undefined;
}

export const searchGeneral = endpoint({
  method: "GET",
  path: "search/general",
  summary: "Search posts",
  description:
    "Searches posts that contain all words of the keyword, best match first. Supports the query language of docs/search.md: phrases, `-not`, `OR`, `#tag`, `@mention`, `from:`, `sound:`, `lang:`, `since:`, `until:`, `min_views:`, `min_likes:`; the last word also matches as a prefix. If nothing matches, the closest known spelling is searched instead and named in the header `Search-Corrected`. If no post has all words, those with some of them are returned, and the header `Search-Matched` is `some`. Operators that cannot be read are ignored and named in the header `Search-Ignored`. For the next page, send the returned `cursor` and, as `search_id`, the returned `log_pb.impr_id`. A search returns at most its best 1,000 posts, each once; posts imported after it started are not included.",
  cost: "search",
  input: Type.Object({
    keyword: textParameter("Words, hashtags (`#…`) or mentions (`@…`) to search for."),
    cursor: CursorParameter,
    search_id: Type.String({
      maxLength: PAGE_TOKEN_LENGTH,
      default: "0",
      description: "`0` for a new search; for the next page, the `log_pb.impr_id` of the previous response.",
    }),
  }),
  output: SearchGeneral,
  example: { keyword: "street food" },
  pages: { items: "data", next: { cursor: "cursor", search_id: "log_pb.impr_id" }, more: "has_more" },

  async handle(ctx: Context<ShortVideoNatives>, { keyword, cursor, search_id }) {
    const search = resume(ctx, keyword, cursor, search_id);
    const clock = search?.now ?? ctx.hour / 1000;
    const page = await ctx.store.searchPosts({
      text: search?.corrected ?? keyword,
      offset: cursor,
      limit: PAGE_SIZE,
      now: clock,
      state: search?.state,
      asTyped: search !== undefined,
      orPartial: true,
    });
    const corrected = search?.corrected ?? page.corrected;
    const searchId = ctx.cursors.sign([keyword], {
      state: formatSearchState(page.state),
      now: clock,
      corrected: corrected ?? undefined,
    });
    return {
      lastModified: latestCapture(page.items),
      headers: searchHeaders({ ...page, corrected }),
      body: {
        ad_info: {},
        backtrace: "",
        cursor: page.next ?? cursor + page.items.length,
        data: page.items.map(toSearchResult),
        extra: { logid: ctx.requestId, now: ctx.displayTime, search_request_id: ctx.requestId },
        global_doodle_config: { feedback_survey: null },
        has_more: page.next === undefined ? 0 : 1,
        log_pb: { impr_id: searchId },
        qc: "",
        status_code: 0,
      },
    };
  },
});

function resume(
  ctx: Context<ShortVideoNatives>,
  keyword: string,
  cursor: number,
  searchId: string,
): Search | undefined {
  if (searchId === "0" || searchId === "") {
    if (cursor === 0) return undefined;
    throw parameterError(
      ctx,
      "invalid_cursor",
      "search_id",
      "is required with a cursor; send the log_pb.impr_id of the previous response",
    );
  }
  const payload = ctx.cursors.verify([keyword], searchId);
  const carried = matchesSchema(SearchId, payload) ? payload : null;
  const state = parseSearchState(carried?.state);
  if (state === null || carried === null) {
    throw parameterError(
      ctx,
      "invalid_cursor",
      "search_id",
      "was not issued for this keyword, was modified, or has expired; start again with 0",
    );
  }
  const { now, corrected } = carried;
  return { state, now, corrected };
}
