/**
 * Records of tables that no format reads: the user says which column holds which field. A field has one name and one
 * meaning on all platforms; a slice says which of them its kinds of record have, and collects them.
 */
import type { Collector, MappableKind } from "#api/importer.ts";
import type { Projection } from "#domain/projection.ts";
import { withoutMargin } from "./estimates.ts";
import { readCountry, readFilledText, readFlag, readLanguage, readUrl } from "./field-readers.ts";
import { parseLength, readTableCount, readTime, splitList } from "./table-cells.ts";
import { withCaptureTime } from "./with-capture-time.ts";

const readSeconds = (cell: unknown) => withoutMargin(readTime(cell));
/** Ids are numbers in some tables. */
const readKey = (cell: unknown) => readFilledText(typeof cell === "number" ? String(cell) : cell)?.trim();

const READERS = {
  id: readKey,
  url: readUrl,
  code: readKey,
  name: readKey,
  post: readKey,
  parent: readKey,
  author: readKey,
  author_id: readKey,
  sound_id: readKey,
  author_name: readFilledText,
  display_name: readFilledText,
  title: readFilledText,
  text: readFilledText,
  bio: readFilledText,
  category: readFilledText,
  artist: readFilledText,
  sound_title: readFilledText,
  language: readLanguage,
  country: readCountry,
  hashtags: splitList,
  keywords: splitList,
  published_at: readTime,
  created_at: readSeconds,
  captured_at: readSeconds,
  duration: parseLength,
  verified: readFlag,
  private: readFlag,
  views: readTableCount,
  likes: readTableCount,
  comments: readTableCount,
  shares: readTableCount,
  saves: readTableCount,
  replies: readTableCount,
  followers: readTableCount,
  following: readTableCount,
  posts: readTableCount,
  picture: readUrl,
  video: readUrl,
} as const satisfies Record<string, (cell: unknown) => unknown>;

type MappedField = keyof typeof READERS;
type MappedRecord<Field extends MappedField = MappedField> = {
  [Name in Field]?: NonNullable<ReturnType<(typeof READERS)[Name]>>;
};

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
      const seconds = record.captured_at;
      definition.collect(record, withCaptureTime(collect, seconds === undefined ? undefined : seconds * 1000));
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
