/** Reads a HAR entry: the response body, its time and its URL. Headers, cookies and request bodies are not read. */
import { redactUrl } from "./redact-url.ts";

export interface HarResponse {
  body: Buffer;
  /** The media type, lower case. */
  mime: string;
  capturedAt: number | null;
  url: string | undefined;
  /** The last path segment of the URL, for importers that use file names. */
  name: string;
}

/** Null if the value is not a HAR entry; "no body" if the browser did not save the body. */
export function parseHarEntry(value: unknown): HarResponse | "no body" | "not text" | null {
  const entry = record(value);
  const request = record(entry?.["request"]);
  const response = record(entry?.["response"]);
  if (entry === null || request === null || response === null) return null;
  const content = record(response["content"]);
  const text = content?.["text"];
  if (typeof text !== "string" || text === "") return "no body";
  const mime = typeof content?.["mimeType"] === "string" ? content["mimeType"].toLowerCase() : "";
  if (BINARY_TYPES.test(mime)) return "not text";
  const url = typeof request["url"] === "string" ? redactUrl(request["url"]) : undefined;
  const startedAt = typeof entry["startedDateTime"] === "string" ? Date.parse(entry["startedDateTime"]) : Number.NaN;
  return {
    body: Buffer.from(text, content?.["encoding"] === "base64" ? "base64" : "utf8"),
    mime,
    capturedAt: Number.isNaN(startedAt) ? null : startedAt,
    url,
    name: url === undefined ? "" : (new URL(url).pathname.split("/").findLast((part) => part !== "") ?? ""),
  };
}

const BINARY_TYPES = /^(?:image|video|audio|font)\/|\bcss\b|wasm|octet-stream|protobuf/;

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
