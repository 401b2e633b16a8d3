/**
 * The requests that most callers send: a plain address or a short form, a bearer token, no headers that ask for more.
 * They are read straight from what came over the wire; whatever is out of the ordinary is left to the framework.
 */
import type { RawInput } from "#contract/input.ts";

export interface PlainHeaders {
  authorization: string | undefined;
  accept: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  requestId: string | undefined;
  contentType: string | undefined;
  /** Whether the caller wants the connection closed after it. */
  last: boolean;
  /** Of the body, in bytes; below zero where none is announced. */
  length: number;
}

/** Headers that are read, each of which must not be given twice. */
const READ = [
  "accept",
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "host",
  "if-none-match",
  "x-request-id",
] as const;

/** Headers that change how a request is to be answered, in ways that only the framework's routes know. */
const OTHERS = [
  "api-version",
  "content-encoding",
  "expect",
  "origin",
  "prefer",
  "traceparent",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const OTHER = -1;
const PLACES = new Map<string, number>([
  ...READ.map((name, place): [string, number] => [name, place]),
  ...OTHERS.map((name): [string, number] => [name, OTHER]),
]);

const KEPT = "keep-alive";
const CONNECTION = /^(?:keep-alive|close)$/i;
const LENGTH = /^\d{1,9}$/;

export interface PlainRequest {
  method: "GET" | "POST";
  url: string;
  headers: PlainHeaders;
  body: string;
  /** Where in the text the next request begins. */
  end: number;
}

/** As it is written by programs; whoever writes it otherwise is understood elsewhere. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** A request whose body is still on its way. */
export const BODY_TO_COME = Symbol("body to come");

const REQUEST_LINE = /(GET|POST) (\/[!-~]*) HTTP\/1\.1\r\n/y;
/** To the letter of RFC 9112, without the liberties that it allows to readers: no folded lines, no lone line feeds. */
const HEADER_LINES = /(?:[\w!#$%&'*+.^`|~-]+:[\t -~]*\r\n)+(?=\r\n)/y;
/** Longer ones are as unusual as others. */
export const LONGEST_HEAD = 4_096;
const LONGEST_BODY = 1_024;

/** Reads requests that come one after the other over a connection. */
export class PlainRequests {
  /** Beside the address, a caller sends the same again and again: it is read once. */
  #lines = "";
  #headers: PlainHeaders | null = null;

  /** What the text begins with, a character a byte; null for whatever is not a plain request, or not yet all of its head. */
  read(text: string): PlainRequest | typeof BODY_TO_COME | null {
    REQUEST_LINE.lastIndex = 0;
    const [line, method, url] = REQUEST_LINE.exec(text) ?? [];
    if (line === undefined || url === undefined) return null;
    const headers = this.#headersAt(text, line.length);
    if (headers === null || line.length + this.#lines.length > LONGEST_HEAD) return null;
    const begin = line.length + this.#lines.length + 2;
    if (method === "GET") return headers.length > 0 ? null : { method, url, headers, body: "", end: begin };
    if (headers.contentType !== FORM_TYPE || headers.length < 0 || headers.length > LONGEST_BODY) return null;
    const end = begin + headers.length;
    return end > text.length ? BODY_TO_COME : { method: "POST", url, headers, body: text.slice(begin, end), end };
  }

  #headersAt(text: string, begin: number): PlainHeaders | null {
    if (this.#headers !== null && text.startsWith(this.#lines, begin)) {
      if (text.startsWith("\r\n", begin + this.#lines.length)) return this.#headers;
    }
    HEADER_LINES.lastIndex = begin;
    const lines = HEADER_LINES.exec(text)?.[0];
    if (lines === undefined) return null;
    this.#headers = plainHeaders(namesAndValues(lines));
    this.#lines = lines;
    return this.#headers;
  }
}

/** Null for those of a request that is not plain: no host, a header given twice, or one of the others. */
export function plainHeaders(raw: readonly string[]): PlainHeaders | null {
  const values: (string | undefined)[] = READ.map(() => undefined);
  for (let index = 0; index < raw.length; index += 2) {
    const place = PLACES.get((raw[index] as string).toLowerCase());
    if (place === undefined) continue;
    if (place === OTHER || values[place] !== undefined) return null;
    values[place] = raw[index + 1];
  }
  const [accept, acceptEncoding, authorization, connection = KEPT, length, ...others] = values;
  const [contentType, host, ifNoneMatch, requestId] = others;
  if (host === undefined || !CONNECTION.test(connection)) return null;
  if (length !== undefined && !LENGTH.test(length)) return null;
  const last = connection.toLowerCase() !== KEPT;
  return {
    authorization,
    accept,
    acceptEncoding,
    ifNoneMatch,
    requestId,
    contentType,
    last,
    length: length === undefined ? -1 : Number(length),
  };
}

/** Names and values in turn. */
function namesAndValues(lines: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < lines.length;) {
    const colon = lines.indexOf(":", from);
    const end = lines.indexOf("\r\n", colon);
    found.push(lines.slice(from, colon), lines.slice(colon + 1, end).trim());
    from = end + 2;
  }
  return found;
}

/** Characters that stand for themselves, on which readers of addresses agree. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.~:@,;!*()/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const AMPERSAND = 38;
const EQUALS = 61;
const PERCENT = 37;
const PLUS = 43;

/** The parameters of an address from where its query begins, or of a form; null if it is not plain, or names one twice. */
export function plainQuery(url: string, begin = 0): RawInput | null {
  const input: Record<string, string> = {};
  let from = begin;
  let equals = -1;
  let encoded = false;
  for (let at = begin; at <= url.length; at++) {
    const code = at === url.length ? AMPERSAND : url.charCodeAt(at);
    if (code === EQUALS) {
      if (equals >= 0) return null;
      equals = at;
    } else if (code === AMPERSAND) {
      if (at === begin && at === url.length) return input;
      if (equals <= from) return null;
      const name = url.slice(from, equals);
      const value = encoded ? decoded(url.slice(equals + 1, at)) : url.slice(equals + 1, at);
      // Given twice, or a name that every object has.
      if (value === null || name in input) return null;
      input[name] = value;
      from = at + 1;
      equals = -1;
      encoded = false;
    } else if (equals >= 0 && (code === PERCENT || code === PLUS)) encoded = true;
    else if (PLAIN[code] !== 1) return null;
  }
  return input;
}

/** Null for what is not well-formed: readers make different things of it. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return null;
  }
}
