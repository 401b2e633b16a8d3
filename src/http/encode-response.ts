/**
 * From a finished body to the bytes of a response. Pre-rendered records are joined, not rendered again. The ETag leaves
 * out what changes with every request (ids, clocks), so that the same data has the same tag.
 */
import { hash } from "node:crypto";
import { volatilePaths } from "#api/compile-operation.ts";
import type { Operation } from "#api/platform.ts";
import { serialiseChunks, RawJson } from "#domain/projection.ts";
import { perfCounters } from "#domain/perf-counters.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Fields of the request that a response may show. */
export interface RequestFields {
  requestId: string;
  now: number;
}

/** JSON with holes where fields of the request stand; most have none. */
export class TemplateBody {
  /** One more than there are fields. */
  readonly chunks: readonly string[];
  readonly fields: readonly (keyof RequestFields)[];

  constructor(chunks: readonly string[], fields: readonly (keyof RequestFields)[]) {
    this.chunks = chunks;
    this.fields = fields;
  }

  get length(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  render(request: RequestFields): string {
    let text = this.chunks[0] as string;
    this.fields.forEach((name, index) => (text += request[name] + (this.chunks[index + 1] as string)));
    return text;
  }
}

export interface EncodedResponse {
  body: TemplateBody;
  etag: string;
}

export function createEncoder({ endpoint }: Operation): (body: unknown, request: RequestFields) => EncodedResponse {
  const paths = volatilePaths(endpoint.output);
  return (body, request) => {
    if (body instanceof RawJson) return { body: new TemplateBody([body.text], NO_FIELDS), etag: `W/"${body.digest}"` };
    const volatile = paths.length === 0 ? NO_PARTS : extractVolatile(body, paths, request);
    const { pieces, parts } = serialiseChunks(body);
    return join(pieces, parts, volatile);
  };
}

const NO_FIELDS: TemplateBody["fields"] = [];
const NO_PARTS: ReadonlyMap<RawJson, keyof RequestFields> = new Map();

/** Replaces what changes with every request by raw parts, and returns those that are fields of the request. */
function extractVolatile(
  body: unknown,
  paths: readonly string[][],
  { requestId, now }: RequestFields,
): ReadonlyMap<RawJson, keyof RequestFields> {
  const fields = new Map<RawJson, keyof RequestFields>();
  for (const path of paths) {
    const last = path.at(-1) as string;
    const owner = ownerOf(body, path);
    if (owner === undefined || !Object.hasOwn(owner, last)) continue;
    const part = new RawJson(JSON.stringify(owner[last]), "");
    if (owner[last] === requestId) fields.set(part, "requestId");
    else if (owner[last] === now) fields.set(part, "now");
    owner[last] = part;
  }
  return fields;
}

function ownerOf(body: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let node = body as Record<string, unknown> | null | undefined;
  for (const name of path.slice(0, -1)) node = node?.[name] as Record<string, unknown> | null | undefined;
  return node ?? undefined;
}

function join(
  pieces: readonly string[],
  parts: readonly RawJson[],
  volatile: ReadonlyMap<RawJson, keyof RequestFields>,
): EncodedResponse {
  let text = pieces[0] as string;
  let stable = text;
  let length = text.length;
  const chunks: string[] = [];
  const fields: (keyof RequestFields)[] = [];
  parts.forEach((part, index) => {
    const next = pieces[index + 1] as string;
    length += next.length;
    stable += part.digest + next;
    const name = volatile.get(part);
    if (name === undefined) text += part.text + next;
    else {
      const quote = name === "requestId" ? '"' : "";
      chunks.push(text + quote);
      fields.push(name);
      text = quote + next;
    }
  });
  perfCounters.written += length;
  return { body: new TemplateBody([...chunks, text], fields), etag: `W/"${hash("sha1", stable, "base64url")}"` };
}

/** `If-None-Match`: weak comparison, a list, or `*`. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === opaque);
}
