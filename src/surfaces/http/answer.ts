/**
 * From a finished body to what goes over the wire. Records that are written out already are joined, not written again.
 * The ETag leaves out what changes with every call (request ids, clocks), so that the same data is the same answer; of
 * written parts it takes their digests.
 */
import { hash } from "node:crypto";
import { volatilePaths } from "#contract/invoke.ts";
import type { Operation } from "#contract/platform.ts";
import { outline, Written } from "#domain/shown.ts";
import { work } from "#domain/work.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export interface Encoded {
  /** The text of the answer, cut where the request's id stands. */
  pieces: readonly string[];
  etag: string;
}

export function answerEncoder({ endpoint }: Operation): (body: unknown, requestId: string) => Encoded {
  const paths = volatilePaths(endpoint.output);
  return (body, requestId) => {
    if (body instanceof Written) return { pieces: [body.text], etag: `W/"${body.digest}"` };
    const ids = paths.length === 0 ? NONE : putAside(body, paths, requestId);
    const { pieces, parts } = outline(body);
    return joined(pieces, parts, ids);
  };
}

const NONE: ReadonlySet<Written> = new Set();

/** Makes parts of what changes with every call; those that are the request's id are returned. */
function putAside(body: unknown, paths: readonly string[][], requestId: string): ReadonlySet<Written> {
  const ids = new Set<Written>();
  for (const path of paths) {
    const last = path.at(-1) as string;
    const owner = ownerOf(body, path);
    if (owner === undefined || !Object.hasOwn(owner, last)) continue;
    const part = new Written(JSON.stringify(owner[last]), "");
    if (owner[last] === requestId) ids.add(part);
    owner[last] = part;
  }
  return ids;
}

function ownerOf(body: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let node = body as Record<string, unknown> | null | undefined;
  for (const name of path.slice(0, -1)) node = node?.[name] as Record<string, unknown> | null | undefined;
  return node ?? undefined;
}

function joined(pieces: readonly string[], parts: readonly Written[], ids: ReadonlySet<Written>): Encoded {
  let text = pieces[0] as string;
  let steady = text;
  let length = text.length;
  const cut: string[] = [];
  parts.forEach((part, index) => {
    const next = pieces[index + 1] as string;
    length += next.length;
    steady += part.digest + next;
    if (ids.has(part)) {
      cut.push(`${text}"`);
      text = `"${next}`;
    } else text += part.text + next;
  });
  work.written += length;
  return { pieces: [...cut, text], etag: `W/"${hash("sha1", steady, "base64url")}"` };
}

export function textOf(pieces: Encoded["pieces"], requestId: string): string {
  return pieces.length === 1 ? (pieces[0] as string) : pieces.join(requestId);
}

/** `If-None-Match`: weak comparison, a list, or `*`. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === opaque);
}

/** Names and values in turn, of headers as they are written to the wire. */
export function headersIn(lines: string): string[] {
  return lines
    .split("\r\n")
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}
