/**
 * `GET /api/export/<kind>`: whole sets of records, streamed as fast as the client reads. The trailers `Content-Digest` and
 * `Triptych-Rows` come after the last byte: a response without them is incomplete.
 */
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { compileInput, type RawInput } from "#api/input.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import { choiceParameter, textParameter } from "#api/parameters.ts";
import { type Platform, readScope } from "#api/platform.ts";
import { Type } from "#api/schema.ts";
import { authenticate, requireScope } from "#auth/authorize.ts";
import type { Principal, TokenRegistry } from "#auth/tokens.ts";
import { suggest } from "#domain/suggest.ts";
import { ApiError } from "#errors";
import { Export, type ExportRequest, FORMAT_NAMES, loadFormat, type Manifest } from "#export/export-rows.ts";
import { EXPORT_KINDS, type ExportKind } from "#export/kinds.ts";
import { shapesFor } from "#export/shapes.ts";
import type { RateLimiter } from "#rate-limit/rate-limiter.ts";
import type { TableReader, Tables } from "#store/tables.ts";
import { admit } from "./operation-handler.ts";

export interface ExportServices {
  platforms: readonly Platform[];
  store: { tables: Pick<Tables, "snapshot"> };
  tokens: TokenRegistry;
  limiter: RateLimiter;
  /** The key of pseudonyms. */
  pseudonyms: Buffer;
  /** The rows without those that are due to be deleted. */
  withoutExpired: (reader: TableReader) => Promise<TableReader>;
  /** Writes to the audit log what a client has exported. */
  recordExport: (keyId: string, chosen: ExportRequest, rows: number) => Promise<void>;
}

const SCOPE = "export";

/** Per process: each keeps a transaction open and a core busy. */
const MAX_EXPORTS = 2;
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

export function registerExports(app: FastifyInstance, services: ExportServices): void {
  let running = 0;
  for (const kind of EXPORT_KINDS) {
    const config = { operation: "export", access: [SCOPE] };
    app.get(`/api/export/${kind.name}`, { config }, async (request, reply) => {
      const principal = await authenticate(request, services.tokens, Date.now());
      const chosen = await parseRequest(services, kind, principal, request.query as RawInput);
      reply.headers({
        "content-type": chosen.format.mediaType,
        "content-disposition": `attachment; filename="${kind.name}${chosen.format.extensions[0]}"`,
        "cache-control": "no-store",
      });
      if (request.method === "HEAD") return reply.send();
      const admission = services.limiter.acquire(principal, "search");
      reply.headers(services.limiter.headers(principal));
      const permit = admit(admission);
      if (running >= MAX_EXPORTS) {
        permit.release();
        admit({ ok: false, code: "too_many_concurrent", retryAfterS: RETRY_AFTER_S });
      }
      running++;
      return send(services, chosen, principal, request, reply, () => {
        running--;
        permit.release();
      });
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
  const wanted = platforms.filter((platform) => name === undefined || platform.name === name);
  const allowed = wanted.filter((platform) => principal.scopes.has(readScope(platform.name)));
  if (allowed.length === 0) throw insufficientScope(wanted.map((platform) => readScope(platform.name)));
  if (where !== null && kind.searchKind === null)
    throw invalid("where", `must be absent: ${kind.name} are not searched`);
  if (pseudonymise === "true" && formatName === "json") throw invalid("pseudonymise", "must be false for format json");
  return {
    kind,
    format: await loadFormat(formatName),
    platforms: allowed.map((platform) => platform.name),
    where,
    bom: bom === "true",
    pseudonyms: pseudonymise === "true" ? pseudonyms : null,
    shapeOf: shapesFor(platforms, kind),
  };
}

const MAX_NAME_LENGTH = 60;

/** Operations ignore unknown parameters. Here a typo in `pseudonymise` would hand out the names of people. */
function rejectUnknown(query: RawInput): void {
  const known = Object.keys(ExportInput.properties);
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [near] = suggest(unknown, known, 1);
  const hint = near === undefined ? `an export takes ${known.join(", ")}` : `did you mean ${near}?`;
  throw invalid(unknown.slice(0, MAX_NAME_LENGTH).toWellFormed(), `is unknown; ${hint}`);
}

function invalid(parameter: string, reason: string): ApiError {
  return new ApiError("invalid_parameter", `${parameter} in the query string ${reason}`, {
    errors: [{ in: "query", parameter, reason }],
  });
}

function send(
  { store, withoutExpired, recordExport }: ExportServices,
  chosen: ExportRequest,
  { keyId }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
  onEnd: () => void,
): FastifyReply {
  const body = new PassThrough();
  let manifest: Manifest | null = null;
  async function* chunks(rows: Export): AsyncGenerator<Buffer> {
    yield* rows.chunks();
    manifest = rows.takeManifest();
  }
  let rows: Export | undefined;
  store.tables
    .snapshot(async (reader) => {
      rows = new Export(await withoutExpired(reader), chosen);
      await pipeline(chunks(rows), body);
    })
    .catch((error: unknown) => {
      // A client that went away has closed the body.
      if (!body.destroyed) request.log.error({ request_id: request.id, err: error }, "export failed");
      body.destroy(error as Error);
    })
    .finally(onEnd)
    .then(() => recordExport(keyId, chosen, rows?.rowCount ?? 0))
    .catch((error: unknown) => request.log.error({ request_id: request.id, err: error }, "audit entry not written"));
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
