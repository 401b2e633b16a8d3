/** Answers in which the platform says that there is nothing: no record, and no fault of the file. */
import type { Collector } from "#api/importer.ts";
import { type Fields, isFields, readInteger, readObjectAt } from "#import/capture/field-readers.ts";

const SUBJECTS = new Map([
  [10204, "the post is not there"],
  [10221, "the user is not there"],
]);

/** What an answer that does hold something has. */
function holdsRecord(object: Fields): boolean {
  return (
    isFields(readObjectAt(object["itemInfo"])["itemStruct"]) ||
    isFields(readObjectAt(object["userInfo"])["user"]) ||
    isFields(readObjectAt(object["musicInfo"])["music"]) ||
    isFields(readObjectAt(object["challengeInfo"])["challenge"])
  );
}

/** True if it was one. The platform's codes for "not found", "private", "removed" all begin with 102. */
export function skipMissingAnswer(object: Fields, collect: Collector): boolean {
  const code = readInteger(object["statusCode"]);
  if (code !== undefined && code >= 10_200 && code < 10_300 && !holdsRecord(object)) {
    collect.skip(`the platform's answer says that ${SUBJECTS.get(code) ?? "there is nothing"} (${code})`);
    return true;
  }
  if (object["comments"] === null && readInteger(object["status_code"]) !== undefined) {
    collect.skip("the platform's answer says that there are no comments");
    return true;
  }
  return false;
}
