/** Responses that report a missing record or have an empty list: nothing to collect, and no fault of the file. */
import type { Collector } from "#api/importer.ts";
import { type Fields, isFields, readInteger, readItems, readObjectAt } from "#import/capture/field-readers.ts";

const MESSAGES = new Map([
  [10204, "post not found"],
  [10221, "user not found"],
]);

function hasRecord(object: Fields): boolean {
  return (
    isFields(readObjectAt(object["itemInfo"])["itemStruct"]) ||
    isFields(readObjectAt(object["userInfo"])["user"]) ||
    isFields(readObjectAt(object["musicInfo"])["music"]) ||
    isFields(readObjectAt(object["challengeInfo"])["challenge"])
  );
}

/** TikTok's codes for "not found", "private" and "removed" all start with 102. Undefined for others. */
export function describeMissing(status: unknown): string | undefined {
  const code = readInteger(status);
  if (code === undefined || code < 10_200 || code >= 10_300) return undefined;
  return `an error response: ${MESSAGES.get(code) ?? "not available"} (${code})`;
}

/** True if it was one. Embed pages have the codes too. */
export function skipErrorResponse(object: Fields, collect: Collector): boolean {
  const missing = describeMissing(object["isError"] === true ? object["errorCode"] : object["statusCode"]);
  if (missing !== undefined && !hasRecord(object)) {
    collect.skip(missing);
    return true;
  }
  if (object["comments"] === null && readInteger(object["status_code"]) !== undefined) {
    collect.skip("a response without comments");
    return true;
  }
  return false;
}

/** A page of a list with nothing in it; services leave out parts of the response around it. */
export function isEmptyPage(object: Fields): boolean {
  if (!("has_more" in object || "hasMore" in object)) return false;
  const isResponse = readInteger(object["status_code"] ?? object["statusCode"]) === 0;
  const isMarked = isFields(object["extra"]) || isFields(object["log_pb"]) || "comments" in object;
  if (!("aweme_list" in object || (isResponse && isMarked))) return false;
  return Object.values(object).every((part) => readItems(part).length === 0);
}
