/**
 * Serialises the body of a response. Pre-rendered records are inserted as they are. The ETag ignores fields that change
 * with every request (ids, clocks), so the same data has the same ETag.
 */
import { hash } from "node:crypto";
import { volatilePaths } from "#api/compile-operation.ts";
import type { Operation } from "#api/platform.ts";
import { isFields } from "#domain/fields.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import { RawJson, serialiseChunks } from "#domain/projection.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Values of the request that a response may contain. */
export interface RequestFields {
  requestId: string;
  now: number;
}

/** JSON with placeholders for fields of the request. */
export class TemplateBody {
  /** One more than there are fields. */
  readonly chunks: readonly string[];
  readonly fields: readonly (keyof RequestFields)[];

  constructor(chunks: readonly string[], fields: readonly (keyof RequestFields)[]) {
    this.chunks = chunks;
    this.fields = fields;
  }

  /** In characters, without the fields. */
  get length(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  render(request: RequestFields): Buffer {
    const [first = "", ...rest] = this.chunks;
    return Buffer.from(this.fields.reduce((text, name, index) => text + request[name] + rest[index], first));
  }
}

export interface EncodedResponse {
  body: Buffer | TemplateBody;
  etag: string;
}

export function createEncoder({ endpoint }: Operation): (body: unknown, request: RequestFields) => EncodedResponse {
  const places = volatilePaths(endpoint.output).map((path) => ({
    parents: path.slice(0, -1),
    name: path.at(-1) ?? "",
  }));
  return (body, request) => {
    if (body instanceof RawJson) return { body: Buffer.from(body.json), etag: toEtag(body.digest) };
    const requestFields = extractVolatile(body, places, request);
    const { chunks, rawParts } = serialiseChunks(body);
    return join(chunks, rawParts, requestFields);
  };
}

/** Replaces the volatile values by raw parts in place, and returns those that are fields of the request. */
function extractVolatile(
  body: unknown,
  places: readonly { parents: readonly string[]; name: string }[],
  { requestId, now }: RequestFields,
): ReadonlyMap<RawJson, keyof RequestFields> {
  const fields = new Map<RawJson, keyof RequestFields>();
  for (const { parents, name } of places) {
    const owner = objectAt(body, parents);
    if (owner === undefined || !Object.hasOwn(owner, name)) continue;
    // Without a digest, it does not count for the ETag.
    const part = new RawJson(JSON.stringify(owner[name]), "");
    if (owner[name] === requestId) fields.set(part, "requestId");
    else if (owner[name] === now) fields.set(part, "now");
    owner[name] = part;
  }
  return fields;
}

function objectAt(body: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let node = body;
  for (const name of path) node = isFields(node) ? node[name] : undefined;
  return isFields(node) ? node : undefined;
}

function join(
  chunks: readonly string[],
  rawParts: readonly RawJson[],
  requestFields: ReadonlyMap<RawJson, keyof RequestFields>,
): EncodedResponse {
  let [text = ""] = chunks;
  /** What the ETag is computed from: digests in place of the parts. */
  let digested = text;
  const templateChunks: string[] = [];
  const fields: (keyof RequestFields)[] = [];
  perfCounters.charactersSerialised += chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  rawParts.forEach((part, index) => {
    const next = chunks[index + 1] ?? "";
    digested += part.digest + next;
    const field = requestFields.get(part);
    if (field === undefined) text += part.json + next;
    else {
      const quote = field === "requestId" ? '"' : "";
      templateChunks.push(text + quote);
      fields.push(field);
      text = quote + next;
    }
  });
  const body = fields.length === 0 ? Buffer.from(text) : new TemplateBody([...templateChunks, text], fields);
  return { body, etag: toEtag(hash("sha1", digested, "base64url")) };
}

/** Longer digests are those of several parts. */
const DIGEST_LENGTH = 27;

function toEtag(digest: string): string {
  return `W/"${digest.length === DIGEST_LENGTH ? digest : hash("sha1", digest, "base64url")}"`;
}

/** `If-None-Match`: weak comparison of a list, or `*`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === opaque);
}
