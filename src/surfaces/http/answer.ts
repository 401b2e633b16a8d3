/**
 * From a finished body to what goes over the wire: bytes, ETag, caching headers. The ETag leaves out what changes with
 * every call (request ids, clocks), so that the same data is the same answer.
 */
import { hash } from "node:crypto";
import { volatilePaths } from "#contract/invoke.ts";
import type { Operation } from "#contract/platform.ts";

export interface Encoded {
  text: string;
  etag: string;
}

export function answerEncoder({ endpoint }: Operation): (body: unknown) => Encoded {
  const paths = volatilePaths(endpoint.output);
  return (body) => {
    const text = JSON.stringify(body);
    if (paths.length === 0) return { text, etag: weakTag(text) };
    const steady = structuredClone(body);
    for (const path of paths) blank(steady, path);
    return { text, etag: weakTag(JSON.stringify(steady)) };
  };
}

function weakTag(text: string): string {
  return `W/"${hash("sha1", text, "base64url")}"`;
}

function blank(body: unknown, path: readonly string[]): void {
  let node = body as Record<string, unknown> | undefined;
  for (const name of path.slice(0, -1)) node = node?.[name] as Record<string, unknown> | undefined;
  const last = path.at(-1) as string;
  if (node !== undefined && node !== null && last in node) node[last] = null;
}

/** `If-None-Match`: weak comparison, a list, or `*`. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === opaque);
}
