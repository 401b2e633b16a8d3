/**
 * Lists of records within what was read, of which nothing was collected: the report names them. No importer needs to say
 * what it leaves out: a list counts as read as soon as an id or a text of its records is in a record that was collected.
 */
import { type Fields, isFields, readObjects } from "./capture/field-readers.ts";
import { parseCell } from "./capture/nested-row.ts";

/** Names by which records are told apart. */
const ID = /^(?:_?id|pk|cid|(?:short_?)?code|user_?name|unique_?id|url|link|permalink)$/i;
/** A reference to another record, maybe the one that the list is in. */
const REFERENCE = /(?:_id|[a-z]Id|_url|[a-z]Url)$/;
const TEXT = /^(?:text|title|name|caption|desc(?:ription)?|content|body|comment|message|full_?name|question|line)$/i;
/** A picture, a file or a track in one of several forms has these beside its URL. */
const MEDIA = /^(?:width|height|bit_?rate|mime_?type|quality|format|ext|resolution|itag|size|file_?size|codecs?|fps)$/i;
/** Parts of YouTube's pages are full of lists that show records or lead to them. */
const PAGE_PART = /(?:Renderer|Model|Command|Endpoint)$|^runs$/;
/** People who are named in many records. */
const PERSON = /^(?:author|user|owner|channel|commenter|profile)/i;

const MIN_SCALARS = 3;
const SAMPLE_SIZE = 50;
const MAX_DEPTH = 12;
/** Shorter values are in other records by chance, and count only if a list has no others. */
const MIN_LENGTH = 3;
/** Lists of one name whose texts are looked for inside of others, each at the cost of all texts, and such names. */
const MAX_LOOKS = 10;
const MAX_NAMES = 20;

export interface Found {
  collected: readonly object[];
  /** Records that were refused or skipped, each with its reason. */
  leftOut: number;
}

/** Numbers of objects by the name of their list. `takenNames` remembers the lists that are read in this file. */
export function countUntaken(
  read: readonly unknown[],
  { collected, leftOut }: Found,
  takenNames: Set<string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  /** Objects that were recognised may be inside of others. */
  const seen = new Set<unknown>();
  let texts: Set<string> | undefined;
  const looks = new Map<string, number>();

  function mayLook(name: string): boolean {
    const count = looks.get(name) ?? 0;
    if (count === MAX_LOOKS || (count === 0 && looks.size === MAX_NAMES)) return false;
    looks.set(name, count + 1);
    return true;
  }

  function isTaken(name: string, list: readonly Fields[]): boolean {
    if (takenNames.has(name) || list.length <= leftOut) return true;
    texts ??= listTexts(collected);
    const known = texts;
    const marks = listMarks(list.slice(0, SAMPLE_SIZE));
    const isRead =
      marks.some((mark) => known.has(mark)) || (mayLook(name) && marks.some((mark) => isParagraph(mark, known)));
    if (isRead) takenNames.add(name);
    return isRead;
  }

  function walk(part: unknown, depth: number): void {
    if (depth > MAX_DEPTH || part === null || typeof part !== "object" || seen.has(part)) return;
    seen.add(part);
    if (Array.isArray(part)) for (const item of part) walk(item, depth + 1);
    else if (isFields(part)) for (const name in part) if (!PAGE_PART.test(name)) walkMember(name, part[name], depth);
  }

  function walkMember(name: string, cell: unknown, depth: number): void {
    const part = typeof cell === "string" && /^\s*\[\s*\{/.test(cell) ? parseCell(cell) : cell;
    const records = Array.isArray(part) ? readObjects(part) : [];
    if (isOfRecords(records) && !seen.has(part) && !isTaken(name, records)) {
      seen.add(part);
      counts.set(name, (counts.get(name) ?? 0) + records.length);
    } else walk(part, depth + 1);
  }

  walk(read, 0);
  return counts;
}

/** A text may be stored as one that arrives in parts. */
function isParagraph(mark: string, texts: ReadonlySet<string>): boolean {
  return mark.includes(" ") && texts.values().some((text) => text.length > mark.length && text.includes(mark));
}

function isOfRecords(records: readonly Fields[]): boolean {
  const sample = records.slice(0, SAMPLE_SIZE);
  const mayRefer = sample.length > 1;
  return sample.filter((object) => isRecord(object, mayRefer)).length * 2 > sample.length;
}

/** A reference in a single object may be to the record that the list is in. */
function isRecord(object: Fields, mayRefer: boolean): boolean {
  const names = Object.keys(object).filter((name) => isFilledScalar(object[name]));
  const isNamed = names.some((name) => ID.test(name) || (mayRefer && REFERENCE.test(name)));
  if (isNamed && names.some((name) => MEDIA.test(name))) return false;
  // Parts of one text, some of them bold.
  if (names.length === 1 && names[0] === "text") return false;
  return names.some((name) => TEXT.test(name)) || (isNamed && names.length >= MIN_SCALARS);
}

function isFilledScalar(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value.trim() !== "");
}

/** Ids and texts of the records, except what all of them have: that is about the record around them. */
function listMarks(records: readonly Fields[]): string[] {
  const marks = records.map((record) => new Set(marksOf(record, records.length > 1)));
  const [first = new Set(), ...others] = marks;
  const isShared = (mark: string) => others.length > 0 && first.has(mark) && others.every((set) => set.has(mark));
  const own = marks.flatMap((set) => [...set].filter((mark) => !isShared(mark)));
  const long = own.filter((mark) => mark.length >= MIN_LENGTH);
  return long.length > 0 ? long : own;
}

function marksOf(object: Fields, mayRefer: boolean, depth = 0): string[] {
  return Object.entries(object).flatMap(([name, part]) => {
    if (isFields(part)) return depth < 3 && !PERSON.test(name) ? marksOf(part, mayRefer, depth + 1) : [];
    const isMark = ID.test(name) || TEXT.test(name) || (mayRefer && REFERENCE.test(name));
    if (!isMark || !isFilledScalar(part)) return [];
    return [String(part).trim()];
  });
}

function listTexts(collected: readonly unknown[]): Set<string> {
  const texts = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string") texts.add(value.trim());
    else if (Array.isArray(value)) for (const item of value) add(item);
    else if (isFields(value)) for (const name in value) add(value[name]);
  };
  for (const record of collected) add(record);
  return texts;
}
