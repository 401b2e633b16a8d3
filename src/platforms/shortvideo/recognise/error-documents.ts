/** Responses that report a missing record: nothing to collect, and no fault of the file. */
import type { Collector } from "#api/importer.ts";
import { type Fields, isFields, readInteger, readObjectAt } from "#import/capture/field-readers.ts";

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

/** True if it was one. TikTok's codes for "not found", "private" and "removed" all start with 102; embed pages have them too. */
export function skipErrorResponse(object: Fields, collect: Collector): boolean {
  const code = readInteger(object["isError"] === true ? object["errorCode"] : object["statusCode"]);
  if (code !== undefined && code >= 10_200 && code < 10_300 && !hasRecord(object)) {
    collect.skip(`an error response: ${MESSAGES.get(code) ?? "not available"} (${code})`);
    return true;
  }
  if (object["comments"] === null && readInteger(object["status_code"]) !== undefined) {
    collect.skip("a response without comments");
    return true;
  }
  return false;
}
