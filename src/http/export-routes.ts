/**
 * `GET /api/export/<kind>`: whole sets of records, streamed as fast as the client reads. The trailers `Content-Digest` and
 * `Triptych-Rows` come after the last byte: a response without them is incomplete.
 */
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { queryOf } from "./request-parts.ts";
import { toError } from "#domain/to-error.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parameterError } from "#api/endpoint.ts";
import { compileInput, type RawInput } from "#api/input.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import { choiceParameter, textParameter } from "#api/parameters.ts";
import { type Platform, readScope } from "#api/platform.ts";
import { Type } from "#api/schema.ts";
import { findUnknownParameter } from "#api/unknown-parameter.ts";
import { authenticate, requireScope } from "#auth/authorize.ts";
import type { Principal, TokenRegistry } from "#auth/tokens.ts";
import type { ApiError } from "#errors";
import type { PlatformName } from "#domain/record.ts";
import { whyNotWhere } from "#export/check-where.ts";
import { type Export, type ExportRequest, FORMAT_NAMES, loadFormat, type Manifest } from "#export/export-rows.ts";
import { EXPORT_KINDS, type ExportKind } from "#export/kinds.ts";
import { type ExportAccess, readExport } from "#export/read-export.ts";
import { shapesFor } from "#export/shapes.ts";
import type { Admission } from "#rate-limit/admission.ts";
import type { RateLimiter } from "#rate-limit/rate-limiter.ts";
import { admit } from "./operation-handler.ts";
import { toApiError } from "./problem-response.ts";

export interface ExportServices extends ExportAccess {
  platforms: readonly Platform[];
  tokens: TokenRegistry;
  limiter: RateLimiter;
  acquireExport: AcquireExport;
  /** The key of pseudonyms. */
  pseudonyms: Buffer;
}

/** Costs a search, and one of the places for exports until it is released. */
export type AcquireExport = (principal: Principal) => Admission;

const SCOPE = "export";

/** Per process: each keeps a transaction open and a core busy. */
const MAX_EXPORTS = 2;
/** With the first export of each further token, which the exports of others must not keep waiting. */
const MAX_FIRST_EXPORTS = 6;
const RETRY_AFTER_S = 10;

const YES_NO = ["true", "false"] as const;

export const ExportInput = Type.Object({
  platform: Type.Optional(textParameter("Path segment of one platform; absent for all that the token may read.")),
  where: Type.Optional(textParameter("A query of docs/search.md.", { maxLength: 500 })),
  format: choiceParameter(FORMAT_NAMES, { description: "Format of the file.", default: "ndjson" }),
  bom: choiceParameter(YES_NO, { description: "Start CSV with a byte order mark.", default: "false" }),
  pseudonymise: choiceParameter(YES_NO, { description: "Replace people by stable keyed ids.", default: "false" }),
});

const parseInput = compileInput(ExportInput, "query");

export function limitExports(limiter: RateLimiter): AcquireExport {
  const running = new Map<string, number>();
  let total = 0;
  return (principal) => {
    const admission = limiter.acquire(principal, "search");
    if (!admission.ok) return admission;
    const own = running.get(principal.keyId) ?? 0;
    if (total >= (own === 0 ? MAX_FIRST_EXPORTS : MAX_EXPORTS)) {
      admission.release();
      return { ok: false, code: "too_many_concurrent", retryAfterS: RETRY_AFTER_S };
    }
    total++;
    running.set(principal.keyId, own + 1);
    let isHeld = true;
    return {
      ok: true,
      release() {
        if (isHeld) {
          total--;
          const rest = (running.get(principal.keyId) ?? 1) - 1;
          if (rest === 0) running.delete(principal.keyId);
          else running.set(principal.keyId, rest);
        }
        isHeld = false;
        admission.release();
      },
      refundDaily: () => admission.refundDaily(),
    };
  };
}

export function registerExports(app: FastifyInstance, services: ExportServices): void {
  for (const kind of EXPORT_KINDS) {
    const config = { operation: "export", access: [SCOPE] };
    app.get(`/api/export/${kind.name}`, { config }, async (request, reply) => {
      const principal = await authenticate(request, services.tokens, Date.now());
      const chosen = await parseRequest(services, kind, principal, queryOf(request));
      reply.headers({
        "content-type": chosen.format.mediaType,
        "content-disposition": `attachment; filename="${kind.name}${chosen.format.extensions[0]}"`,
        "cache-control": "no-store",
      });
      if (request.method === "HEAD") return reply.send();
      const admission = services.acquireExport(principal);
      reply.headers(services.limiter.headers(principal));
      const permit = admit(admission);
      return send(services, chosen, principal, request, reply, () => permit.release());
    });
  }
}

async function parseRequest(
  { platforms, pseudonyms }: ExportServices,
  kind: ExportKind,
  principal: Principal,
  query: RawInput,
): Promise<ExportRequest> {
  requireScope(principal, SCOPE);
  rejectUnknown(query);
  const { platform: name, where = null, format: formatName, bom, pseudonymise } = parseInput(query);
  if (name !== undefined && !platforms.some((platform) => platform.name === name)) {
    throw invalid("platform", `must be one of ${platforms.map((platform) => platform.name).join(", ")}`);
  }
  const wanted = platforms.map((platform) => platform.name).filter((each) => name === undefined || each === name);
  const allowed = requireReadable(wanted, principal);
  const problem = whyNotWhere(kind, where);
  if (problem !== null) throw invalid("where", problem);
  if (pseudonymise === "true" && formatName === "json") throw invalid("pseudonymise", "must be false for format json");
  return {
    kind,
    format: await loadFormat(formatName),
    platforms: allowed,
    where,
    bom: bom === "true",
    pseudonyms: pseudonymise === "true" ? pseudonyms : null,
    shapeOf: shapesFor(platforms, kind),
  };
}

/** Those of the platforms that the token may read: at least one. */
export function requireReadable(wanted: readonly PlatformName[], { scopes }: Principal): PlatformName[] {
  const readable = wanted.filter((platform) => scopes.has(readScope(platform)));
  if (readable.length === 0) throw insufficientScope(wanted.map(readScope));
  return readable;
}

function rejectUnknown(query: RawInput): void {
  const unknown = findUnknownParameter(query, Object.keys(ExportInput.properties));
  if (unknown !== null) throw invalid(unknown.parameter, unknown.reason);
}

function invalid(parameter: string, reason: string): ApiError {
  return parameterError({ parameterLocation: "query" }, "invalid_parameter", parameter, reason);
}

function send(
  services: ExportServices,
  chosen: ExportRequest,
  { keyId }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
  onEnd: () => void,
): FastifyReply {
  const body = new PassThrough();
  const closed = new AbortController();
  body.once("close", () => closed.abort());
  let manifest: Manifest | null = null;
  async function* chunks(rows: Export): AsyncGenerator<Buffer> {
    yield* rows.chunks();
    manifest = rows.takeManifest();
  }
  let rows: Export | undefined;
  readExport(
    services,
    chosen,
    (opened) => {
      rows = opened;
      return pipeline(chunks(opened), body);
    },
    closed.signal,
  )
    .catch((error: unknown) => {
      // A client that went away has closed the body.
      if (!body.destroyed) request.log.error({ request_id: request.id, err: error }, "export failed");
      body.destroy(toError(error));
    })
    .finally(onEnd)
    .then(() => services.recordExport(keyId, chosen, rows?.rowCount ?? 0))
    .catch((error: unknown) => request.log.error({ request_id: request.id, err: error }, "audit entry not written"));
  // What breaks off here is not the client's doing.
  body.once("error", (error) => {
    request.problem = toApiError(error);
  });
  // Before the listener by which the response ends.
  body.once("end", () => {
    if (manifest !== null) reply.raw.addTrailers(trailersOf(manifest));
  });
  return reply.headers({ trailer: "Content-Digest, Triptych-Rows", "transfer-encoding": "chunked" }).send(body);
}

/** RFC 9530. */
function trailersOf({ rows, sha256 }: Manifest): Record<string, string> {
  return {
    "Content-Digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
    "Triptych-Rows": String(rows),
  };
}
