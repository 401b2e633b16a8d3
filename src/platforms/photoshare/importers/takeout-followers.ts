/**
 * Follower lists in the archive that Instagram gives its own users. They hold names and times but no ids, and do not
 * name their owner: the archive's name does, else `--of`.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { type Fields, readObject, readObjects, readText, readTimestamp } from "#import/capture/field-readers.ts";
import { type FollowDirection, toFollow } from "#import/capture/follow-direction.ts";
import { parseProfileName } from "../profile-url.ts";
import { readAccountName } from "../recognise/captured-user.ts";
import { readSubjectName } from "../recognise/enclosing-context.ts";

type Direction = FollowDirection | "other";

export const takeoutFollowers: Importer = {
  name: "takeout followers",

  detects(document, file) {
    return document.kind === "json" && listIn(document, file) !== undefined;
  },

  read(document, file, collect) {
    const list = listIn(document, file);
    if (list === undefined) return;
    if (list.direction === "other") {
      return collect.skip("a takeout list that is neither followers nor followed accounts");
    }
    const owner = findOwner(file);
    for (const entry of list.entries) readEntry(entry, list.direction, owner, collect);
  },
};

/** `followers_1.json` is a bare list; the others are named by the key that holds them. */
function listIn(
  { value, location: within }: SourceDocument,
  file: SourceFile,
): { direction: Direction; entries: Fields[] } | undefined {
  const named = Object.entries(readObject(value) ?? {}).find(([key]) => key.startsWith("relationships_"));
  if (named !== undefined) return { direction: toDirection(named[0]), entries: readObjects(named[1]) };
  const key = within?.path.find((name) => name.startsWith("relationships_"));
  const entries = Array.isArray(value) ? readObjects(value) : [readObject(value) ?? {}];
  if (!entries.some((entry) => Array.isArray(entry["string_list_data"]))) return undefined;
  if (key !== undefined) return { direction: toDirection(key), entries };
  const bare = /^followers(?:_\d+)?\.json$/i.test(file.segments.at(-1) ?? "");
  return bare ? { direction: "followers", entries } : undefined;
}

function toDirection(key: string): Direction {
  if (key === "relationships_followers") return "followers";
  return key === "relationships_following" ? "followed" : "other";
}

function findOwner(file: SourceFile): string | undefined {
  if (file.subject !== null) return readSubjectName(file);
  for (const segment of file.segments) {
    const [, name] = /^instagram-([A-Za-z0-9._]{1,30})-\d{4}-\d{2}-\d{2}(?:-|\.|$)/.exec(segment) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

function readEntry(entry: Fields, direction: FollowDirection, owner: string | undefined, collect: Collector): void {
  const [data = {}] = readObjects(entry["string_list_data"]);
  const name = readAccountName(data["value"]) ?? readAccountName(entry["title"]) ?? nameInUrl(data["href"]);
  if (owner === undefined) collect.refuse("followers_without_owner: in a takeout");
  else if (name === undefined) collect.refuse("account_without_id");
  else {
    const since = readTimestamp(data["timestamp"]) ?? null;
    collect.follow({ ...toFollow({ name: owner }, { name }, direction), since });
  }
}

function nameInUrl(href: unknown): string | undefined {
  const profile = parseProfileName(readText(href)?.replace("/_u/", "/") ?? "");
  return "name" in profile ? readAccountName(profile.name) : undefined;
}
