/**
 * A backup: one gzip file of JSON lines, the same for every store. Format, then each table with its columns and rows,
 * then the count and checksum of every table, which is missing from a file that was cut off. docs/backup.md describes it.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import {
  type TableBatch,
  type TableName,
  type TableReader,
  type TableRow,
  TABLE_NAMES,
  TABLES,
} from "#store/tables.ts";
import { BackupError } from "./backup-error.ts";
import { differingTables, Totals, type TableTotals } from "./totals.ts";
import { writeWhole } from "./whole-file.ts";

const FORMAT = { format: "triptych-backup", version: 1 };

export type OnRows = (table: TableName, rows: number) => void;

export async function* readTables(reader: TableReader): AsyncGenerator<TableBatch> {
  for (const table of TABLE_NAMES) for await (const rows of reader.read(table)) yield { table, rows };
}

/** The file appears under its name when it is complete and on disk. Replaces another only with `force`. */
export async function writeBackup(
  file: string,
  source: AsyncIterable<TableBatch>,
  createdAt: Date,
  onRows: OnRows,
  force = false,
): Promise<TableTotals> {
  const totals = new Totals();
  await writeWhole(file, force, (partial) =>
    pipeline(
      formatLines(source, createdAt, totals, onRows),
      // Faster than the default level, and a tenth larger.
      createGzip({ level: 1 }),
      // It contains people's data: readable by the owner only.
      createWriteStream(partial, { mode: 0o600, flush: true }),
    ),
  );
  return totals.tables;
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
  yield `${JSON.stringify({ end: totals.tables })}\n`;
}

/** Reads to the end, without keeping anything. Rejects with `BackupError` unless the file is complete and undamaged. */
export async function verifyBackup(file: string, onRows: OnRows): Promise<TableTotals> {
  let end: TableTotals | null = null;
  for await (const batch of readLines(file, (totals) => (end = totals))) onRows(batch.table, batch.rows.length);
  return end as unknown as TableTotals;
}

export async function* readBackup(file: string): AsyncGenerator<TableBatch> {
  yield* readLines(file, () => undefined);
}

/** `onEnd` gets the totals once the whole file was checked. */
async function* readLines(file: string, onEnd: (totals: TableTotals) => void): AsyncGenerator<TableBatch> {
  const totals = new Totals();
  let table: TableName | null = null;
  let end: TableTotals | null = null;
  let isFirst = true;
  try {
    for await (const lines of linesOf(file)) {
      const rows: TableRow[] = [];
      for (const line of lines) {
        if (end !== null) throw new Error("lines after the end");
        if (table !== null && line.startsWith("[")) {
          totals.addJson(table, line);
          rows.push(JSON.parse(line) as TableRow);
          continue;
        }
        if (table !== null && rows.length > 0) yield { table, rows: rows.splice(0) };
        const mark = JSON.parse(line) as Partial<
          typeof FORMAT & { table: TableName; columns: string[]; end: TableTotals }
        >;
        if (isFirst) assertFormat(file, mark);
        else if (mark.end !== undefined) end = mark.end;
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
  const [differing] = differingTables(totals.tables, end);
  if (differing !== undefined) throw damaged(file, `the checksum of ${differing.replace("_", " ")} is wrong`);
  onEnd(end);
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
    rest = lines.pop() as string;
    if (lines.length > 0) yield lines;
  }
  if (rest !== "") throw new Error("a line without an end");
}
