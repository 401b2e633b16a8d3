/**
 * Records of tables that no format reads: the user says which column holds which field. A field has one name and one
 * meaning on all platforms, those of the columns of exports; a slice says which of them its kinds of record have, and
 * collects them.
 */
import type { Collector, MappableKind } from "#api/importer.ts";
import type { Projection } from "#domain/projection.ts";
import { withoutMargin } from "./estimates.ts";
import { readCountry, readFilledText, readFlag, readLanguage, readMilliseconds, readUrl } from "./field-readers.ts";
import { parseLength, readTableCount, readTime, splitList } from "./table-cells.ts";
import { withCaptureTime } from "./with-capture-time.ts";

const readSeconds = (cell: unknown) => withoutMargin(readTime(cell));
/** Unix milliseconds, as exports write them: a capture that was read back is the same one. */
const readCaptured = (cell: unknown) => {
  const seconds = readSeconds(cell);
  return readMilliseconds(cell) ?? (seconds === undefined ? undefined : seconds * 1000);
};

/** Ids are numbers in some tables. */
const readKey = (cell: unknown) => readFilledText(typeof cell === "number" ? String(cell) : cell)?.trim();

/** No name in a URL has spaces: one that does is a displayed name. */
const readName = (cell: unknown) => {
  const name = readKey(cell);
  return name?.includes(" ") === true ? undefined : name;
};

/** Exports write `[]` for none. */
const readNames = (cell: unknown) =>
  cell === "[]" || (Array.isArray(cell) && cell.length === 0) ? [] : splitList(cell);

const READERS = {
  id: readKey,
  url: readUrl,
  code: readKey,
  name: readKey,
  platform_id: readKey,
  post_id: readKey,
  parent_id: readKey,
  author_id: readKey,
  author_name: readName,
  sound_id: readKey,
  author_display_name: readFilledText,
  display_name: readFilledText,
  title: readFilledText,
  text: readFilledText,
  bio: readFilledText,
  category: readFilledText,
  artist_name: readFilledText,
  sound_title: readFilledText,
  language: readLanguage,
  country: readCountry,
  hashtags: readNames,
  keywords: readNames,
  published_at: readTime,
  created_at: readSeconds,
  captured_at: readCaptured,
  duration_s: parseLength,
  verified: readFlag,
  private: readFlag,
  views: readTableCount,
  likes: readTableCount,
  comments: readTableCount,
  shares: readTableCount,
  saves: readTableCount,
  reposts: readTableCount,
  replies: readTableCount,
  followers: readTableCount,
  following: readTableCount,
  posts: readTableCount,
  friends: readTableCount,
  picture: readUrl,
  video: readUrl,
  approximate: readNames,
} as const satisfies Record<string, (cell: unknown) => unknown>;

type MappedField = keyof typeof READERS;
type MappedRecord<Field extends MappedField = MappedField> = {
  [Name in Field]?: NonNullable<ReturnType<(typeof READERS)[Name]>>;
};

/** What tables of every platform can say. */
export const POST_FIELDS = [
  "id",
  "url",
  "text",
  "title",
  "author_id",
  "author_name",
  "author_display_name",
  "published_at",
  "views",
  "likes",
  "comments",
  "duration_s",
  "picture",
  "approximate",
] as const;
export const ACCOUNT_FIELDS = [
  "id",
  "name",
  "display_name",
  "bio",
  "verified",
  "followers",
  "posts",
  "picture",
  "approximate",
] as const;
export const COMMENT_FIELDS = [
  "id",
  "post_id",
  "parent_id",
  "text",
  "author_id",
  "author_name",
  "author_display_name",
  "published_at",
  "likes",
  "replies",
  "approximate",
] as const;

interface MappableDefinition<Field extends MappedField> {
  fields: readonly Field[];
  /** Fields of which one must be mapped. */
  idFields: readonly Field[];
  collect: (record: MappedRecord<Field>, collect: Collector) => void;
  /** How responses show the record; without it, it is shown as it is stored. */
  projection?: Projection<never>;
}

export function defineMappable<Field extends MappedField>(definition: MappableDefinition<Field>): MappableKind {
  const { projection } = definition;
  return {
    fields: [...definition.fields, "captured_at"],
    idFields: definition.idFields,
    read(cells, collect) {
      const { record, unreadable } = readCells(cells);
      // An estimate without its margin would pass for an exact value.
      for (const field of record.approximate ?? []) if (isField(field)) delete record[field];
      definition.collect(record, withCaptureTime(collect, record.captured_at));
      return unreadable;
    },
    project({ native, ...header }) {
      return projection === undefined ? header : projection.project({ ...header, native } as never);
    },
  };
}

/** Empty cells are unknown. */
function readCells(cells: Readonly<Record<string, unknown>>): { record: MappedRecord; unreadable: string[] } {
  const record: Partial<Record<MappedField, unknown>> = {};
  const unreadable: string[] = [];
  for (const [field, cell] of Object.entries(cells)) {
    if (!isField(field) || cell === undefined || cell === null || cell === "") continue;
    const value = READERS[field](typeof cell === "string" ? cell.trim() : cell);
    if (value === undefined) unreadable.push(field);
    else record[field] = value;
  }
  return { record: record as MappedRecord, unreadable };
}

function isField(name: string): name is MappedField {
  return Object.hasOwn(READERS, name);
}
