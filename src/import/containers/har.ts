/**
 * Reads a HAR entry: the response body, its time and its URL. Headers and cookies are not read, and of a request's body only
 * ids in GraphQL variables and the parameters of a panel: they say what the response is about.
 */
import { type Fields, isFields } from "#domain/fields.ts";
import { parseJson } from "./parse-json.ts";
import { redactUrl } from "./redact-url.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface HarResponse {
  body: Buffer;
  /** The media type, lower case. */
  mime: string;
  capturedAt: number | null;
  /** With the ids of the request's body as parameters. */
  url: string | undefined;
  /** The last path segment of the URL, for importers that use file names. */
  name: string;
}

/** Null if the value is not a HAR entry; "no body" if the browser did not save the body. */
export function parseHarEntry(value: unknown): HarResponse | "no body" | "not text" | null {
  const entry = objectIn(value);
  const request = objectIn(entry?.["request"]);
  const response = objectIn(entry?.["response"]);
  if (entry === undefined || request === undefined || response === undefined) return null;
  const content = objectIn(response["content"]);
  const text = content?.["text"];
  if (typeof text !== "string" || text === "") return "no body";
  const mime = typeof content?.["mimeType"] === "string" ? content["mimeType"].toLowerCase() : "";
  if (BINARY_TYPES.test(mime)) return "not text";
  const address = typeof request["url"] === "string" ? redactUrl(request["url"]) : undefined;
  const url = address === undefined ? undefined : withPostedIds(address, objectIn(request["postData"])?.["text"]);
  const startedAt = typeof entry["startedDateTime"] === "string" ? Date.parse(entry["startedDateTime"]) : Number.NaN;
  return {
    body: Buffer.from(text, content?.["encoding"] === "base64" ? "base64" : "utf8"),
    mime,
    capturedAt: Number.isNaN(startedAt) ? null : startedAt,
    url,
    name: url === undefined ? "" : (new URL(url).pathname.split("/").findLast((part) => part !== "") ?? ""),
  };
}

const POSTED_IDS = ["id", "user_id", "media_id"];
const MAX_FORM_LENGTH = 64 * 1024;
const MAX_DEPTH = 100;

function withPostedIds(address: string, form: unknown): string {
  if (typeof form !== "string" || form.length > MAX_FORM_LENGTH) return address;
  if (form.startsWith("{")) return withPanelParameters(address, parseVariables(form));
  const variables = parseVariables(new URLSearchParams(form).get("variables") ?? "{}");
  const ids = POSTED_IDS.filter((name) => isId(variables[name]));
  const url = new URL(address);
  if (ids.length === 0 || url.searchParams.has("variables")) return address;
  url.searchParams.set("variables", JSON.stringify(Object.fromEntries(ids.map((id) => [id, String(variables[id])]))));
  return url.href;
}

/** YouTube's panels beside a video do not name it, but the request does. */
function withPanelParameters(address: string, { panelId, params }: Record<string, unknown>): string {
  const url = new URL(address);
  if (typeof panelId !== "string" || typeof params !== "string" || url.searchParams.has("params")) return address;
  if (!PANEL_PARAMETERS.test(params)) return address;
  url.searchParams.set("params", params);
  return url.href;
}

/** Base64 of a short message. */
const PANEL_PARAMETERS = /^[\w+/=%-]{1,128}$/;

function isId(value: unknown): boolean {
  return (typeof value === "string" || typeof value === "number") && /^\d{1,24}$/.test(String(value));
}

function parseVariables(text: string): Record<string, unknown> {
  try {
    return objectIn(parseJson(text, MAX_DEPTH)) ?? {};
  } catch (error) {
    if (error instanceof UnreadableError) return {};
    throw error;
  }
}

const BINARY_TYPES = /^(?:image|video|audio|font)\/|\bcss\b|wasm|octet-stream|protobuf/;

function objectIn(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}
