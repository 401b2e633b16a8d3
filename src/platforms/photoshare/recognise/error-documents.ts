/** Answers in which the platform says that it has nothing: neither a record nor a fault of the file. */
import { type Fields, readObject, readText } from "#import/capture/field-readers.ts";

const SUBJECTS = ["user", "shortcode_media", "xdt_shortcode_media", "hashtag", "location", "media"];

/** What the answer says, in a few words; undefined for anything else. */
export function missingAnswer(answer: Fields): string | undefined {
  if (answer["status"] === "fail") return "the platform's answer says that it failed";
  const data = readObject(answer["data"]) ?? readObject(answer["graphql"]);
  if (data === undefined) {
    const refused =
      answer["data"] === null && Array.isArray(answer["errors"]) && readText(answer["status"]) !== undefined;
    return refused ? "the platform's answer says that it failed" : undefined;
  }
  const asked = SUBJECTS.filter((subject) => subject in data);
  if (asked.length === 0 || asked.some((subject) => data[subject] !== null)) return undefined;
  return `the platform's answer says that there is no such ${asked[0]?.replace(/^xdt_/, "").replace("shortcode_media", "post")}`;
}
