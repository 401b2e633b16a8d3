/**
 * A backup: one gzip file of JSON lines, the same for every store. Format, then each table with its columns and rows,
 * then the count and checksum of every table, which is missing from a file that was cut off, and a seal over all of it.
 * docs/backup.md describes it.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { isFields } from "#domain/fields.ts";
import { fromNames } from "#domain/from-names.ts";
import {
  type TableBatch,
  type TableName,
  type TableReader,
  type TableRow,
  TABLE_NAMES,
  TABLES,
} from "#store/copy/port.ts";
import { BackupError } from "./backup-error.ts";
import { differingTables, NO_ROWS, type TableTotal, Totals, type TableTotals } from "./totals.ts";
import { writeWhole } from "./whole-file.ts";

const FORMAT = { format: "triptych-backup", version: 1 };

/** Longer than any row of a store: an import takes no record as large. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

export type OnRows = (table: TableName, rows: number) => void;

/** Who wrote a backup, by its seal; `unchecked` without the pepper. */
export type BackupSeal = "here" | "elsewhere" | "unchecked" | "none";

export interface CheckedBackup {
  tables: TableTotals;
  seal: BackupSeal;
}

export async function* readTables(reader: TableReader): AsyncGenerator<TableBatch> {
  for (const table of TABLE_NAMES) for await (const rows of reader.read(table)) yield { table, rows };
}

/**
 * The file appears under its name when it is complete, on disk and read back. Replaces another only with `force`. Without
 * a key it has no seal.
 */
export async function writeBackup(
  file: string,
  source: AsyncIterable<TableBatch>,
  { createdAt, key, force = false }: { createdAt: Date; key: Buffer | null; force?: boolean },
  onRows: OnRows,
): Promise<CheckedBackup> {
  const totals = new Totals();
  return writeWhole(file, force, async (partial) => {
    await pipeline(
      withEnd(formatLines(source, createdAt, totals, onRows), totals, key),
      // Faster than the default level, and a tenth larger.
      createGzip({ level: 1 }),
      // It contains people's data: readable by the owner only.
      createWriteStream(partial, { mode: 0o600, flush: true }),
    );
    return verifyBackup(partial, key, () => undefined);
  });
}

async function* formatLines(
  source: AsyncIterable<TableBatch>,
  createdAt: Date,
  totals: Totals,
  onRows: OnRows,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...FORMAT, createdAt: createdAt.toISOString() })}\n`;
  let current: TableName | null = null;
  for await (const { table, rows } of source) {
    let lines = "";
    if (table !== current) lines = `${JSON.stringify({ table, columns: TABLES[table] })}\n`;
    current = table;
    for (const row of rows) {
      const line = JSON.stringify(row);
      totals.addJson(table, line);
      lines += `${line}\n`;
    }
    yield lines;
    onRows(table, rows.length);
  }
}

/** The sums of rows can be met by others that were searched for: the seal is over the bytes. */
async function* withEnd(lines: AsyncIterable<string>, totals: Totals, key: Buffer | null): AsyncGenerator<string> {
  const bytes = createHash("sha256");
  for await (const text of lines) {
    bytes.update(text);
    yield text;
  }
  const end = totals.tables;
  yield `${JSON.stringify({ end, ...(key !== null && { seal: computeSeal(key, bytes.digest()).toString("hex") }) })}\n`;
}

function computeSeal(key: Buffer, digest: Buffer): Buffer {
  return createHmac("sha256", key).update(digest).digest();
}

/**
 * Reads to the end, without keeping anything. Rejects with `BackupError` unless the file is complete and undamaged. `key`
 * is the backup key of secrets.ts.
 */
export async function verifyBackup(
  file: string,
  key: Buffer | null,
  onBatch: (batch: TableBatch) => void,
): Promise<CheckedBackup> {
  await using batches = readLines(file, key);
  let next = await batches.next();
  for (; next.done !== true; next = await batches.next()) onBatch(next.value);
  return next.value;
}

/** Rows of a verified file: rejects at its end if it is no longer sealed as it was. */
export async function* readBackup(file: string, key: Buffer | null, verified: BackupSeal): AsyncGenerator<TableBatch> {
  const { seal } = yield* readLines(file, key);
  if (seal !== verified) throw damaged(file, "it was changed while it was read");
}

interface End {
  totals: TableTotals;
  seal: string | null;
}

/** Returns once the whole file was checked. */
async function* readLines(file: string, key: Buffer | null): AsyncGenerator<TableBatch, CheckedBackup> {
  const totals = new Totals();
  const bytes = createHash("sha256");
  let table: TableName | null = null;
  let end: End | null = null;
  let isFirst = true;
  try {
    for await (const lines of linesOf(file)) {
      const rows: TableRow[] = [];
      for (const line of lines) {
        if (end !== null) throw new Error("lines after the end");
        if (!line.startsWith('{"end"')) bytes.update(line).update("\n");
        if (table !== null && line.startsWith("[")) {
          totals.addJson(table, line);
          rows.push(JSON.parse(line) as TableRow);
          continue;
        }
        if (table !== null && rows.length > 0) yield { table, rows: rows.splice(0) };
        const mark = JSON.parse(line) as Partial<
          typeof FORMAT & { table: TableName; columns: string[]; end: unknown; seal: unknown }
        >;
        if (isFirst) assertFormat(file, mark);
        else if (mark.end !== undefined) end = parseEnd(file, mark);
        else table = checkTable(file, mark.table, mark.columns);
        isFirst = false;
      }
      if (table !== null && rows.length > 0) yield { table, rows };
    }
  } catch (error) {
    if (error instanceof BackupError || isSystemError(error)) throw error;
    throw damaged(file, isFirst ? "it is not a backup" : "it cannot be read to its end", error);
  }
  if (end === null) throw damaged(file, isFirst ? "it is empty" : "its end is missing");
  const [differing] = differingTables(totals.tables, end.totals);
  if (differing !== undefined) throw damaged(file, `the checksum of ${differing.replace("_", " ")} is wrong`);
  return { tables: end.totals, seal: checkSeal(end.seal, key, bytes.digest()) };
}

/** A table that the line does not name has no rows. */
function parseEnd(file: string, { end, seal = null }: { end?: unknown; seal?: unknown }): End {
  const sums = isFields(end) ? end : {};
  const check = <Value>(value: unknown, isValid: (value: unknown) => value is Value): Value => {
    if (isValid(value)) return value;
    throw damaged(file, "its last line is malformed");
  };
  const totals = fromNames(TABLE_NAMES, (table) => check(sums[table] ?? NO_ROWS, isTotal));
  return { totals, seal: seal === null ? null : check(seal, isDigest) };
}

function isTotal(value: unknown): value is TableTotal {
  return isFields(value) && Number.isSafeInteger(value["rows"]) && isDigest(value["sum"]);
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function checkSeal(seal: string | null, key: Buffer | null, digest: Buffer): BackupSeal {
  if (seal === null) return "none";
  if (key === null) return "unchecked";
  return timingSafeEqual(Buffer.from(seal, "hex"), computeSeal(key, digest)) ? "here" : "elsewhere";
}

function damaged(file: string, reason: string, cause?: unknown): BackupError {
  return new BackupError(`${file} is damaged or incomplete (${reason}); use another backup`, { cause });
}

/** Not an error of the content: the file is missing or unreadable. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function assertFormat(file: string, { format, version }: Partial<typeof FORMAT>): void {
  if (format !== FORMAT.format) throw new BackupError(`${file} is not a backup`);
  if (version !== FORMAT.version)
    throw new BackupError(`${file} was written by another version of Triptych (format ${version}); upgrade Triptych`);
}

function checkTable(file: string, table: string | undefined, columns: readonly string[] = []): TableName {
  const known = TABLE_NAMES.find((name) => name === table);
  if (known === undefined || columns.join() !== TABLES[known].join())
    throw new BackupError(`${file} was written by another version of Triptych (table ${table}); upgrade Triptych`);
  return known;
}

/** The lines that end in each chunk. `readline` would also split at U+2028. */
async function* linesOf(file: string): AsyncGenerator<string[]> {
  // Fails here if the file is missing: an error inside the stream could not be told from damage.
  if (!(await stat(file)).isFile()) throw new BackupError(`${file} is not a regular file; name a backup`);
  await (await open(file)).close();
  const input = createReadStream(file);
  const text = input.pipe(createGunzip()).setEncoding("utf8");
  input.on("error", (error) => text.destroy(error));
  let rest = "";
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = chunk.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS) throw damaged(file, "a row is longer than any of a store");
    if (lines.length > 0) yield lines;
  }
  if (rest !== "") throw new Error("a line without an end");
}
