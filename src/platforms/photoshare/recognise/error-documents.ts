/** Responses that report an error, a missing record or an empty list: nothing to collect, and no fault of the file. */
import { type Fields, readList, readObject, readText } from "#import/capture/field-readers.ts";

const RECORD_KEYS = ["user", "shortcode_media", "xdt_shortcode_media", "hashtag", "location", "media"];

/** Undefined for any other object. */
export function describeErrorResponse(response: Fields): string | undefined {
  if (response["status"] === "fail") return "an error response";
  const data = readObject(response["data"]) ?? readObject(response["graphql"]);
  if (data === undefined) {
    const isError =
      response["data"] === null && Array.isArray(response["errors"]) && readText(response["status"]) !== undefined;
    return isError ? "an error response" : undefined;
  }
  const keys = RECORD_KEYS.filter((key) => key in data);
  if (keys.length === 0 || keys.some((key) => data[key] !== null)) return undefined;
  return `an error response: ${keys[0]?.replace(/^xdt_/, "").replace("shortcode_media", "post")} not found`;
}

const PAGE_KEYS = ["more_available", "num_results", "auto_load_more_enabled", "comment_count", "has_more_comments"];

/** A page of posts or comments with nothing in it. */
export function isEmptyPage(response: Fields): boolean {
  if (response["status"] !== "ok" || !PAGE_KEYS.some((key) => key in response)) return false;
  return readList(response["items"] ?? response["comments"])?.length === 0;
}
