/**
 * Removes traces of erased people from the records of others: embedded profiles, tags, mentions in texts, links to their
 * profile, sounds that are theirs. An erasure applies it to what is stored, an import and a restore to what comes in.
 */
import { parseJsonText } from "#domain/json-text.ts";
import { listNames, NAME_RUN, replaceMentions } from "#domain/mention.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { RecordKind } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { displayNameKey } from "./keys.ts";
import { rowEncoder } from "#store/write/row-encoder.ts";

/** The key of an account is its id, its provisional id or a `displayNameKey`; that of a sound or post its id. */
export type IsErased = (kind: "account" | "sound" | "post", key: string) => boolean;

type Fields = Record<string, unknown>;

const REMOVED = Symbol("removed");

const NAME_FIELD = /^(?:user_?name|unique_?id|user_?unique_?id|handle|screen_?name|custom_?url)$/i;
const ID_FIELD = /^(?:id|pk|uid|(?:user|owner|author|artist|channel|author_?channel)_?id)$/i;
const ID_LIST = /(?:tagged|coauthor|user)_?ids$/i;

/** Shorter ids, such as those of categories, may belong to something else. */
const MIN_CERTAIN_ID = 6;

const SITE = String.raw`(?:https?://[^\s/]{1,200}|(?:instagram|tiktok|youtube)\.com)/(?:(?:channel|c|user|stories)/)?`;
const PROFILE_URL = new RegExp(`(${SITE})@?(${NAME_RUN})`, "giu");

export const ERASED_TEXT = "[erased]";

export function scrubRecord(kind: RecordKind, record: EncodedRecord, isErased: IsErased): EncodedRecord {
  const header = scrubJson(record.header, isErased);
  const native = scrubJson(record.native, isErased);
  if (header === record.header && native === record.native) return record;
  const fields = rowEncoder.indexFields(kind, parseJsonText<object>(header));
  const scrubbed: EncodedRecord = { ...record, header, native, ...fields };
  // Rendered from the record as it was.
  delete scrubbed.rendered;
  return scrubbed;
}

export function scrubTrack<Track extends Pick<SubtitleTrack, "lines">>(track: Track, isErased: IsErased): Track {
  const lines = track.lines.map((line) => {
    const text = scrubText(line.text, isErased);
    return text === line.text ? line : { ...line, text };
  });
  return lines.every((line, index) => line === track.lines[index]) ? track : { ...track, lines };
}

/** The same text if nothing was removed. */
export function scrubJson(json: string, isErased: IsErased): string {
  const root = parseJsonText(json);
  const scrubbed = isFields(root) ? scrubFields(root, isErased) : scrubValue(root, "", isErased);
  return scrubbed === root || scrubbed === REMOVED ? json : JSON.stringify(scrubbed);
}

export function scrubText(text: string, isErased: IsErased): string {
  if (!/[@＠/]/.test(text)) return text;
  const isTheirName = (name: string) => isErased("account", provisionalId(name));
  const withoutUrls = text.replaceAll(PROFILE_URL, (match, site: string, name: string) => {
    const erased = listNames(name).find((part) => isTheirName(part) || isErased("account", part));
    return erased === undefined ? match : `${site}-${name.slice(erased.length)}`;
  });
  return replaceMentions(withoutUrls, (mention, name) => {
    const erased = listNames(name).find(isTheirName);
    return erased === undefined ? mention : `${ERASED_TEXT}${name.slice(erased.length)}`;
  });
}

/** Every key under which the artist of a sound may be erased. An original sound has the name at the end of its title. */
export function artistKeys({ artistId, artistName, title }: Partial<Pick<Sound, "artistId" | "artistName" | "title">>) {
  const names = [
    artistName,
    title
      ?.split(/ [-–—] /)
      .slice(1)
      .at(-1),
  ]
    .filter((name) => name != null)
    .filter((name) => name !== "");
  return [
    ...(artistId == null ? [] : [artistId]),
    ...names.flatMap((name) => [provisionalId(name), displayNameKey(name)]),
  ];
}

function scrubValue(value: unknown, field: string, isErased: IsErased): unknown {
  if (typeof value === "string") return scrubText(value, isErased);
  if (Array.isArray(value)) return scrubList(value, field, isErased);
  if (!isFields(value)) return value;
  return isAboutErased(value, isErased) ? REMOVED : scrubFields(value, isErased);
}

function scrubList(list: readonly unknown[], field: string, isErased: IsErased): unknown {
  const isIdList = ID_LIST.test(field);
  const scrubbed = list.map((item) =>
    isIdList && isScalar(item) && isErased("account", String(item)) ? REMOVED : scrubValue(item, field, isErased),
  );
  return scrubbed.every((item, index) => item === list[index]) ? list : scrubbed.filter((item) => item !== REMOVED);
}

function scrubFields(fields: Fields, isErased: IsErased): Fields {
  let scrubbed = fields;
  for (const [field, value] of Object.entries(fields)) {
    const result = scrubValue(value, field, isErased);
    if (result === value) continue;
    if (scrubbed === fields) scrubbed = { ...fields };
    if (result === REMOVED) delete scrubbed[field];
    else scrubbed[field] = result;
  }
  return scrubbed;
}

/** Whether an embedded object is the profile of an erased person, or a sound of theirs. */
function isAboutErased(fields: Fields, isErased: IsErased): boolean {
  const entries = Object.entries(fields).filter(([, value]) => isScalar(value));
  const hasName = entries.some(([field]) => NAME_FIELD.test(field));
  const isPerson = entries.some(([field, value]) => {
    const text = String(value);
    if (NAME_FIELD.test(field)) return isErased("account", provisionalId(text));
    return ID_FIELD.test(field) && (hasName || text.length >= MIN_CERTAIN_ID) && isErased("account", text);
  });
  return isPerson || isErasedSound(fields, isErased);
}

/** `music` objects inside posts. */
function isErasedSound({ id, title, authorName }: Fields, isErased: IsErased): boolean {
  if (typeof authorName !== "string" && typeof title !== "string") return false;
  if (isScalar(id) && isErased("sound", String(id))) return true;
  if (typeof authorName !== "string") return false;
  return artistKeys({ artistName: authorName, title: typeof title === "string" ? title : null }).some((key) =>
    isErased("account", key),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
