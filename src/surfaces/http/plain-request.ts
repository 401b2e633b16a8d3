/**
 * The requests that most callers send: a plain address or a short form, a bearer token, no headers that ask for more.
 * They are read straight from what came over the wire; whatever is out of the ordinary is left to the framework.
 */
import type { IncomingMessage } from "node:http";
import type { RawInput } from "#contract/input.ts";

export interface PlainHeaders {
  authorization: string | undefined;
  accept: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  requestId: string | undefined;
  /** Of a body. */
  contentType: string | undefined;
  contentLength: string | undefined;
}

/** Headers that change how a request is to be answered, in ways that only the framework's routes know. */
const OTHERS = new Set([
  "api-version",
  "content-encoding",
  "expect",
  "origin",
  "prefer",
  "traceparent",
  "transfer-encoding",
  "upgrade",
]);

/** Null for a request that is not plain: no host, a header given twice, or one of the others. */
export function plainHeaders(request: IncomingMessage): PlainHeaders | null {
  const raw = request.rawHeaders;
  const plain: PlainHeaders = {
    authorization: undefined,
    accept: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    requestId: undefined,
    contentType: undefined,
    contentLength: undefined,
  };
  let host = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    // Telling lengths apart first spares most headers the rest.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() !== "host") break;
        if (host) return null;
        host = true;
        break;
      case 6: {
        const lower = name.toLowerCase();
        if (lower === "accept") {
          if (plain.accept !== undefined) return null;
          plain.accept = raw[index + 1];
        } else if (OTHERS.has(lower)) return null;
        break;
      }
      case 12: {
        const lower = name.toLowerCase();
        if (lower === "x-request-id") {
          if (plain.requestId !== undefined) return null;
          plain.requestId = raw[index + 1];
        } else if (lower === "content-type") {
          if (plain.contentType !== undefined) return null;
          plain.contentType = raw[index + 1];
        }
        break;
      }
      case 14:
        if (name.toLowerCase() !== "content-length") break;
        if (plain.contentLength !== undefined) return null;
        plain.contentLength = raw[index + 1];
        break;
      case 13: {
        const lower = name.toLowerCase();
        if (lower === "authorization") {
          if (plain.authorization !== undefined) return null;
          plain.authorization = raw[index + 1];
        } else if (lower === "if-none-match") {
          if (plain.ifNoneMatch !== undefined) return null;
          plain.ifNoneMatch = raw[index + 1];
        }
        break;
      }
      case 15:
        if (name.toLowerCase() !== "accept-encoding") break;
        if (plain.acceptEncoding !== undefined) return null;
        plain.acceptEncoding = raw[index + 1];
        break;
      case 7:
      case 11:
      case 16:
      case 17:
        if (OTHERS.has(name.toLowerCase())) return null;
        break;
      default:
    }
  }
  return host ? plain : null;
}

/** Characters that stand for themselves, of which nothing is decoded and on which readers of addresses agree. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.~:@,;!*()/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const AMPERSAND = 38;
const EQUALS = 61;

/** The parameters of an address from where its query begins, or of a form; null if it is not plain, or names one twice. */
export function plainQuery(url: string, begin = 0): RawInput | null {
  const input: Record<string, string> = {};
  let from = begin;
  let equals = -1;
  for (let at = begin; at <= url.length; at++) {
    const code = at === url.length ? AMPERSAND : url.charCodeAt(at);
    if (code === EQUALS) {
      if (equals >= 0) return null;
      equals = at;
    } else if (code === AMPERSAND) {
      if (at === begin && at === url.length) return input;
      if (equals <= from) return null;
      const name = url.slice(from, equals);
      // Given twice, or a name that every object has.
      if (name in input) return null;
      input[name] = url.slice(equals + 1, at);
      from = at + 1;
      equals = -1;
    } else if (PLAIN[code] !== 1) return null;
  }
  return input;
}
