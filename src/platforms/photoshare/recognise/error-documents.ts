/** Responses that report an error or a missing record: nothing to collect, and no fault of the file. */
import { type Fields, readObject, readText } from "#import/capture/field-readers.ts";

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
