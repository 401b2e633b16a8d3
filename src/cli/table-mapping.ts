/** Parses `--as shortvideo/post --map id=video_id,text=caption`, and says what is possible where it is wrong. */
import { isRecordKind } from "#domain/record.ts";
import type { TableMapping } from "#import/mapped-table.ts";
import type { MappableKind } from "#api/importer.ts";
import { UsageError } from "./command-errors.ts";

export interface ParsedMapping {
  mapping: TableMapping;
  kind: MappableKind;
}

/** Null without `--as`: then formats are detected. */
export async function parseMapping(as: string | undefined, pairs: readonly string[]): Promise<ParsedMapping | null> {
  if (as === undefined) {
    if (pairs.length > 0) throw new UsageError("--map needs --as, such as --as shortvideo/post");
    return null;
  }
  const kinds = await listKinds();
  const found = kinds.find(({ name }) => name === as);
  if (found === undefined) {
    throw new UsageError(`--as must be one of ${kinds.map(({ name }) => name).join(", ")}; not ${JSON.stringify(as)}`);
  }
  const { name, mappable, platform, kind } = found;
  const columns = parseColumns(name, mappable, pairs);
  return { mapping: { platform, kind, columns }, kind: mappable };
}

/** An import without `--as` leaves the platforms to its threads. */
async function listKinds() {
  const { loadImportPlatforms } = await import("#import/read-document.ts");
  const { PLATFORM_RECORDS } = await import("#platforms/records.ts");
  return (await loadImportPlatforms(PLATFORM_RECORDS)).flatMap(({ name: platform, mappable }) =>
    Object.entries(mappable).flatMap(([kind, entry]) =>
      isRecordKind(kind) ? [{ name: `${platform}/${kind}`, platform, kind, mappable: entry }] : [],
    ),
  );
}

/** Null without pairs: then columns have the names of the fields. */
function parseColumns(name: string, { fields, idFields }: MappableKind, pairs: readonly string[]) {
  if (pairs.length === 0) return null;
  const columns: Record<string, string> = {};
  // A comma in a column's name is not followed by a field.
  for (const pair of pairs.flatMap((text) => text.split(/,(?=[a-z_]+=)/))) {
    const at = pair.indexOf("=");
    const [field, column] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || column === "") {
      throw new UsageError(`--map takes pairs of field=column, such as id=video_id; not ${JSON.stringify(pair)}`);
    }
    if (!fields.includes(field)) {
      throw new UsageError(`${name} has no field ${JSON.stringify(field)}; its fields are ${fields.join(", ")}`);
    }
    if (field in columns) throw new UsageError(`--map names the field ${field} twice`);
    columns[field] = column;
  }
  if (!idFields.some((field) => field in columns)) {
    throw new UsageError(
      `--map must say which column has the ${idFields.join(" or ")}: without it, nothing can be stored`,
    );
  }
  return columns;
}
