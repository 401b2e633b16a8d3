/**
 * Static documents. Each is rendered once, and compressed once per encoding, on first request; all responses share the
 * same bytes, so a slow client costs no more than its socket.
 */
import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { perfCounters } from "#domain/perf-counters.ts";
import { matchesEtag } from "./encode-response.ts";
import { COMPRESS_FROM_BYTES, compress } from "./compression.ts";
import { chooseEncoding, type Encoding } from "./negotiation.ts";
import { PUBLIC } from "./route-access.ts";

export interface StaticAsset {
  contentType: string;
  maxAgeSeconds: number;
  /** The URL changes with the content. */
  isImmutable?: boolean;
  headers?: Record<string, string>;
  render(): Buffer | Promise<Buffer>;
}

export function registerAsset(app: FastifyInstance, asset: StaticAsset & { path: string }): void {
  app.get(asset.path, { config: PUBLIC }, createAssetHandler(asset));
}

export function createAssetHandler(
  asset: StaticAsset,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const original = memoize(async () => {
    perfCounters.assetsRendered++;
    const bytes = await asset.render();
    return { bytes, etag: `W/"${hash("sha1", bytes, "base64url")}"` };
  });
  const compressed = (encoding: Encoding) =>
    memoize(async () => compress((await original()).bytes, encoding, "thorough"));
  const encoded = { zstd: compressed("zstd"), br: compressed("br"), gzip: compressed("gzip") };

  const cacheControl = `public, max-age=${asset.maxAgeSeconds}${asset.isImmutable === true ? ", immutable" : ""}`;

  return async (request, reply) => {
    const { bytes, etag } = await original();
    const isFresh = matchesEtag(request.headers["if-none-match"], etag);
    const encoding =
      isFresh || bytes.length < COMPRESS_FROM_BYTES ? null : chooseEncoding(request.headers["accept-encoding"]);
    // Before any header is set: an error response must not have those of the asset.
    const body = encoding === null ? bytes : await encoded[encoding]();
    reply.headers({
      ...asset.headers,
      etag,
      "cache-control": cacheControl,
      vary: [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", "),
    });
    if (isFresh) return reply.code(304).send();
    if (encoding !== null) reply.header("content-encoding", encoding);
    return reply.type(asset.contentType).send(body);
  };
}

/** Concurrent calls share one run. A failure is not cached: the next call tries again. */
function memoize<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () =>
    (result ??= run().catch((error: unknown) => {
      result = undefined;
      throw error;
    }));
}
