/** An entry of a HAR: the body of the answer, when it was asked for, and where. Headers, cookies and posts are not read. */
import { keepableUrl } from "./web-origin.ts";

export interface HarResponse {
  body: Buffer;
  /** What the server called it, lower case. */
  mime: string;
  capturedAt: number | null;
  url: string | undefined;
  /** The last part of the address, for readers that go by names. */
  name: string;
}

/** Null for what is not an entry; no body where the browser did not keep it. */
export function harResponse(value: unknown): HarResponse | "no body" | "not text" | null {
  const entry = record(value);
  const request = record(entry?.["request"]);
  const response = record(entry?.["response"]);
  if (entry === null || request === null || response === null) return null;
  const content = record(response["content"]);
  const text = content?.["text"];
  if (typeof text !== "string" || text === "") return "no body";
  const mime = typeof content?.["mimeType"] === "string" ? content["mimeType"].toLowerCase() : "";
  if (NOT_DATA.test(mime)) return "not text";
  const url = typeof request["url"] === "string" ? keepableUrl(request["url"]) : undefined;
  const at = typeof entry["startedDateTime"] === "string" ? Date.parse(entry["startedDateTime"]) : Number.NaN;
  return {
    body: Buffer.from(text, content?.["encoding"] === "base64" ? "base64" : "utf8"),
    mime,
    capturedAt: Number.isNaN(at) ? null : at,
    url,
    name: url === undefined ? "" : (new URL(url).pathname.split("/").findLast((part) => part !== "") ?? ""),
  };
}

const NOT_DATA = /^(?:image|video|audio|font)\/|\bcss\b|wasm|octet-stream|protobuf/;

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
