/**
 * `user_data_tiktok.json`, the archive that TikTok gives its own users. Of it only who follows whom is read; it names
 * people but has no ids. What was watched, searched, liked, written or paid is private.
 */
import type { Collector, Importer, SourceDocument } from "#api/importer.ts";
import { hasRecord } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readItems,
  readObjectAt,
  readObjects,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { type FollowDirection, toFollow } from "#import/capture/follow-direction.ts";
import { readAccountName } from "../recognise/account-name.ts";
import { readSubjectName } from "../recognise/subject.ts";

/** The lists and what they are called, in all versions of the archive. */
const LISTS: ReadonlyMap<string, FollowDirection> = new Map([
  ["FansList", "followers"],
  ["Following", "followed"],
]);

/** Sections of the archive; newer versions rename and regroup them. */
const SECTIONS = ["Activity", "Your Activity", "Profile", "Profile And Settings", "Direct Message", "Direct Messages"];

export const takeout: Importer = {
  name: "takeout",

  detects: (document) =>
    document.kind === "json" && (isArchive(document.value) || entryDirection(document) !== undefined),

  read(document, file, collect) {
    const direction = entryDirection(document);
    const archive = readObjectAt(document.value);
    if (direction !== undefined) return readEntry(archive, direction, readSubjectName(file), collect);
    const owner = readSubjectName(file) ?? findOwner(archive);
    for (const [name, listed] of LISTS) {
      for (const list of findLists(archive, name)) {
        for (const entry of readObjects(list)) readEntry(entry, listed, owner, collect);
      }
    }
    collect.skip("the private parts of a takeout");
  },
};

/** One can choose what is in the archive: where one section is left, what it contains tells. */
function isArchive(value: unknown): boolean {
  const archive = readObjectAt(value);
  const sections = SECTIONS.filter((section) => isFields(archive[section])).length;
  return sections >= 2 || (sections === 1 && (findOwner(archive) !== undefined || hasEntry(archive)));
}

function hasEntry(archive: Fields): boolean {
  return [...LISTS.keys()].some((name) => findLists(archive, name).some((list) => hasRecord(readItems(list), isEntry)));
}

function isEntry(value: Fields): boolean {
  return "UserName" in value && "Date" in value;
}

/** The list that the entry was split off from, if the archive was too large to read whole. */
function entryDirection({ value, location }: SourceDocument): FollowDirection | undefined {
  const direction = LISTS.get(location?.path.at(-1) ?? "");
  return direction !== undefined && isFields(value) && isEntry(value) ? direction : undefined;
}

/** The list may be two or three levels down, such as in `Your Activity`, `Follower`. */
function findLists(part: unknown, name: string, depth = 0): unknown[] {
  if (!isFields(part) || depth > 3) return [];
  const own = Array.isArray(part[name]) ? [part[name]] : [];
  return [...own, ...Object.values(part).flatMap((inside) => findLists(inside, name, depth + 1))];
}

function findOwner(archive: Fields): string | undefined {
  for (const section of ["Profile", "Profile And Settings"]) {
    for (const info of ["Profile Information", "Profile Info"]) {
      const name = readAccountName(readObjectAt(archive, section, info, "ProfileMap")["userName"]);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

function readEntry(entry: Fields, direction: FollowDirection, owner: string | undefined, collect: Collector): void {
  const name = readAccountName(entry["UserName"]);
  if (owner === undefined) return collect.refuse("followers_without_owner: in a takeout");
  // TikTok writes N/A for accounts that were deleted.
  if (name === undefined) return collect.skip("an account that was deleted");
  const since = readTimestamp(readFilledText(entry["Date"])?.replace(/ UTC$/, "Z")) ?? null;
  collect.follow({ ...toFollow({ name: owner }, { name }, direction), since });
}
