/** Requests in the order they are to be sent, kept in a file that every kind of caller reads: a line each, parts between tabs. */
import { readFileSync, writeFileSync } from "node:fs";

export interface Request {
  path: string;
  /** What `If-None-Match` says. */
  etag?: string;
  /** A URL-encoded form. */
  body?: string;
}

export interface LoadOrder {
  /** Such as `http://127.0.0.1:9000`. */
  address: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** Written by `writeRequests`. */
  file: string;
  /** Where in the file to begin; after its end comes its beginning. */
  start: number;
  connections: number;
  seconds: number;
  /** Requests per second, at even distances; without it each connection asks as soon as it is answered. */
  rate?: number;
}

export interface LoadFigures {
  perSecond: number;
  answered: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers other than 2xx and 304, and requests that were not answered. */
  errors: number;
  bytes: number;
  seconds: number;
  /** The share of requests whose time is known, at a given rate. */
  timed?: number;
}

export function writeRequests(file: string, requests: readonly Request[]): void {
  writeFileSync(file, requests.map(({ path, etag = "", body = "" }) => `${path}\t${etag}\t${body}\n`).join(""));
}

/** From `start` on, round to the beginning. */
export function readRequests({ file, start }: Pick<LoadOrder, "file" | "start">, most = Infinity): Request[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const begin = start % lines.length;
  const taken = [...lines.slice(begin), ...lines.slice(0, begin)].slice(0, most);
  return taken.map((line) => {
    const [path = "", etag = "", body = ""] = line.split("\t");
    return { path, ...(etag === "" ? {} : { etag }), ...(body === "" ? {} : { body }) };
  });
}

export function isRight(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/** Sorts them. */
export function percentiles(times: Float64Array): { p50: number; p99: number } {
  times.sort();
  const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
