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

/** What an answer may show of the request itself. */
export interface OfRequest {
  requestId: string;
  now: number;
}

/** The text of an answer, cut where something of the request stands. */
export interface CutText {
  pieces: readonly string[];
  /** What stands there: one less than there are pieces. */
  between: readonly (keyof OfRequest)[];
}

export interface Encoded {
  text: CutText;
  etag: string;
}

export function answerEncoder({ endpoint }: Operation): (body: unknown, request: OfRequest) => Encoded {
  const paths = volatilePaths(endpoint.output);
  return (body, request) => {
    if (body instanceof Written) return { text: { pieces: [body.text], between: UNCUT }, etag: `W/"${body.digest}"` };
    const shown = paths.length === 0 ? NONE : putAside(body, paths, request);
    const { pieces, parts } = outline(body);
    return joined(pieces, parts, shown);
  };
}

const UNCUT: CutText["between"] = [];
const NONE: ReadonlyMap<Written, keyof OfRequest> = new Map();

/** Makes parts of what changes with every call; those that are of the request are returned. */
function putAside(
  body: unknown,
  paths: readonly string[][],
  { requestId, now }: OfRequest,
): ReadonlyMap<Written, keyof OfRequest> {
  const shown = new Map<Written, keyof OfRequest>();
  for (const path of paths) {
    const last = path.at(-1) as string;
    const owner = ownerOf(body, path);
    if (owner === undefined || !Object.hasOwn(owner, last)) continue;
    const part = new Written(JSON.stringify(owner[last]), "");
    if (owner[last] === requestId) shown.set(part, "requestId");
    else if (owner[last] === now) shown.set(part, "now");
    owner[last] = part;
  }
  return shown;
}

function ownerOf(body: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let node = body as Record<string, unknown> | null | undefined;
  for (const name of path.slice(0, -1)) node = node?.[name] as Record<string, unknown> | null | undefined;
  return node ?? undefined;
}

function joined(
  pieces: readonly string[],
  parts: readonly Written[],
  shown: ReadonlyMap<Written, keyof OfRequest>,
): Encoded {
  let text = pieces[0] as string;
  let steady = text;
  let length = text.length;
  const cut: string[] = [];
  const between: (keyof OfRequest)[] = [];
  parts.forEach((part, index) => {
    const next = pieces[index + 1] as string;
    length += next.length;
    steady += part.digest + next;
    const name = shown.get(part);
    if (name === undefined) text += part.text + next;
    else {
      const quote = name === "requestId" ? '"' : "";
      cut.push(text + quote);
      between.push(name);
      text = quote + next;
    }
  });
  work.written += length;
  return { text: { pieces: [...cut, text], between }, etag: `W/"${hash("sha1", steady, "base64url")}"` };
}

export function textOf({ pieces, between }: CutText, request: OfRequest): string {
  let text = pieces[0] as string;
  between.forEach((name, index) => (text += request[name] + (pieces[index + 1] as string)));
  return text;
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
