/**
 * A search, or the posts of an account, as a feed: /feeds/<key>/search.atom?q=… The key is a token with the scope `feed`, in
 * the URL because feed readers send no headers. It opens feeds and nothing else, and no log has it.
 */
import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawInput } from "#api/input.ts";
import { itemsOf, nextPage } from "#api/paging.ts";
import { type Operation, readScope } from "#api/platform.ts";
import { requireScope } from "#auth/authorize.ts";
import type { Principal } from "#auth/tokens.ts";
import { isFields } from "#domain/fields.ts";
import { ApiError } from "#errors";
import type { Permit } from "#rate-limit/admission.ts";
import { matchesEtag } from "../encode-response.ts";
import { createExecutor } from "../execute-operation.ts";
import { admit, type OperationServices } from "../operation-handler.ts";
import { pathParametersOf, queryOf } from "../request-parts.ts";
import { sendCompressed, varyByEncoding } from "../send-compressed.ts";
import { FEED_TYPES, type FeedFormat, type FeedRecord, renderFeed } from "./feed-document.ts";

const SCOPE = "feed";
const MAX_ITEMS = 50;
/** A search is sorted by relevance: the newest are found among its first results. */
const MAX_PAGES = 4;

interface FeedSource {
  /** The operation whose items are the feed's. */
  operation: string;
  pages: number;
  titleOf: (query: RawInput) => string;
  /** Fields that its items lack. */
  fixed: Partial<FeedRecord>;
}

interface Collected {
  records: FeedRecord[];
  permits: Permit[];
}

const SOURCES: readonly FeedSource[] = [
  {
    operation: "search",
    pages: MAX_PAGES,
    titleOf: ({ q }) => String(q),
    fixed: {},
  },
  {
    operation: "posts",
    pages: 1,
    titleOf: ({ account, platform }) => `${String(account)} (${String(platform)})`,
    fixed: { kind: "post" },
  },
];

export function registerFeeds(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: Omit<OperationServices, "cache">,
): void {
  for (const source of SOURCES) {
    const operation = operations.find(({ name }) => name === source.operation);
    if (operation === undefined) continue;
    const handler = createFeedHandler(source, operation, services);
    for (const format of ["json", "atom"] as const) {
      const config = { operation: "feeds", access: [SCOPE] };
      app.get(`/feeds/:key/${source.operation}.${format}`, { config }, (request, reply) =>
        handler(request, reply, format),
      );
    }
  }
}

function createFeedHandler(
  source: FeedSource,
  operation: Operation,
  services: Omit<OperationServices, "cache">,
): (request: FastifyRequest, reply: FastifyReply, format: FeedFormat) => Promise<FastifyReply> {
  const { tokens, limiter } = services;
  const { pages } = operation.endpoint;
  const executor = createExecutor(operation, services);

  return async (request, reply, format) => {
    const { key } = pathParametersOf(request);
    const principal = await tokens.verify(String(key), Date.now());
    if (principal === null) throw new ApiError("invalid_feed_key", "the URL has no valid feed key");
    request.principal = principal;
    requireScope(principal, SCOPE);
    reply.headers({ ...limiter.headers(principal), "referrer-policy": "no-referrer" });
    const query = {
      ...queryOf(request),
      limit: MAX_ITEMS,
      fields: undefined,
      continuation_token: undefined,
    };
    const { records, permits } = await collect(principal, request.id, query);
    const title = source.titleOf(query);
    const body = renderFeed({ title, key: `${operation.name} ${JSON.stringify(query)}`, records }, format);
    const etag = `W/"${hash("sha1", body, "base64url")}"`;
    reply.headers({ ...limiter.headers(principal), etag, "cache-control": "private, max-age=300" });
    if (matchesEtag(request.headers["if-none-match"], etag)) {
      // As for operations, an unchanged response costs nothing of the daily quota: readers ask often.
      for (const permit of permits) permit.refundDaily();
      return varyByEncoding(reply).headers(limiter.headers(principal)).code(304).send();
    }
    return sendCompressed(request, reply.header("content-type", FEED_TYPES[format]), body);
  };

  /** The newest first, whatever order the operation has. */
  async function collect(principal: Principal, requestId: string, query: RawInput): Promise<Collected> {
    // The scope allows what every read scope allows, in feeds only, and no personal details.
    const reader = { ...principal, scopes: new Set(operation.reads.map(readScope)) };
    const access = executor.accessOf(reader);
    const records: FeedRecord[] = [];
    const permits: Permit[] = [];
    let input: RawInput | null = query;
    for (let page = 0; page < source.pages && input !== null; page++) {
      const permit = admit(limiter.acquire(principal, operation.endpoint.cost));
      permits.push(permit);
      try {
        const request = { now: Date.now(), requestId, unknownAsNull: true, input, misplaced: [] };
        const { body } = await executor.run(request, { ...access, permittedRaw: access.permitted });
        if (pages === undefined || isOther(body)) break;
        // Items are what the schema of the operation says.
        records.push(...itemsOf(body, pages).map((item) => ({ ...(item as FeedRecord), ...source.fixed })));
        const next = nextPage(body, pages);
        input = next === null ? null : { ...query, ...next };
      } finally {
        permit.release();
      }
    }
    return { records: records.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, MAX_ITEMS), permits };
  }
}

/** Matches of another spelling or of some words are not what the subscription waits for. */
function isOther(body: unknown): boolean {
  return isFields(body) && (typeof body["corrected"] === "string" || body["matched"] === "some");
}

function timeOf({ published_at: published, captured_at: captured }: FeedRecord): number {
  if (published !== null) return published * 1000;
  return captured === null ? 0 : Date.parse(captured);
}
