/** `triptych export <kind>`: writes a whole set of records to a file. */
import { PROGRAM } from "#config";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { errorCode } from "#domain/error-code.ts";
import { type Command, Option } from "commander";
import { suggest } from "#domain/suggest.ts";
import { whyNotWhere } from "#export/check-where.ts";
import { type Export, type ExportRequest, FORMAT_NAMES, loadFormat, type Manifest } from "#export/export-rows.ts";
import { EXPORT_KINDS, type ExportKind } from "#export/kinds.ts";
import { readExport } from "#export/read-export.ts";
import { shapesFor } from "#export/shapes.ts";
import { writeWhole } from "#export/whole-file.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { checkOutputFile, FORCE_OPTION } from "../output-file.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printNote, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface ExportOptions {
  platform?: string;
  where?: string;
  format?: string;
  output?: string;
  force?: true;
  bom?: true;
  pseudonymise?: true;
  dataDir?: string;
}

const EXAMPLES = `
Kinds: ${EXPORT_KINDS.map(({ name }) => name).join(", ")}.

Examples:
  $ ${PROGRAM} export posts --platform longvideo --where 'since:2026-01 from:"Market Lane"' -o posts.csv
  $ ${PROGRAM} export comments --format ndjson | gzip > comments.ndjson.gz
  $ ${PROGRAM} export counters -o counters.parquet
  $ ${PROGRAM} export accounts --pseudonymise -o accounts.sqlite

The format is that of the file's name, or NDJSON if that has no extension. docs/export.md describes the columns, the state
of one moment that is exported while others write, and how a whole file is told from a part: <file>.manifest.json has the
count and the SHA-256.

Exit codes: 0 the file is complete, 1 the export failed, 2 usage error.`;

export function registerExport(program: Command, terminal: Terminal): void {
  program
    .command("export <kind>")
    .description("write all records of a kind, or those that a query matches, to a file")
    .option("--platform <name>", "one platform instead of all")
    .option("--where <query>", "only what matches a search, such as 'street food since:2026-01'")
    .addOption(new Option("--format <format>", "instead of the one of the file's name").choices(FORMAT_NAMES))
    .option("-o, --output <file>", "file to write; standard output if absent")
    .option(...FORCE_OPTION)
    .option("--bom", "start CSV with a byte order mark, by which spreadsheets recognise UTF-8")
    .option("--pseudonymise", "replace people by stable keyed ids: account ids, names, and @names in texts")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, options: ExportOptions) => {
      const kind = findKind(name);
      const request = await parseOptions(kind, options);
      const config = configFrom(terminal, options);
      await withExistingStore(config, async ({ store, secrets, recordAudit, retention }) => {
        const { createExportAccess } = await import("#serve/export-access.ts");
        const access = createExportAccess(store, retention, recordAudit);
        const chosen = { ...request, pseudonyms: options.pseudonymise === true ? secrets.pseudonyms : null };
        const record = (rows: number) => access.recordExport("command", chosen, rows);
        const manifest = await readExport(access, chosen, async (rows) => {
          if (options.output !== undefined) return write(rows, options.output, options.force === true);
          return print(rows, terminal).catch(async (error: unknown) => {
            // The reader has what was printed until then.
            await record(rows.rowCount);
            throw error;
          });
        });
        await record(manifest.rows);
        const { rows, sha256 } = manifest;
        printNote(terminal, `exported ${rows} ${rows === 1 ? "row" : "rows"}, SHA-256 ${sha256}\n`);
      });
    });
}

function findKind(name: string): ExportKind {
  const kind = EXPORT_KINDS.find((candidate) => candidate.name === name);
  if (kind !== undefined) return kind;
  const names = EXPORT_KINDS.map((candidate) => candidate.name);
  const [near] = suggest(name, names);
  throw new UsageError(
    `cannot export ${name}${near === undefined ? "" : `; did you mean ${near}?`} (kinds: ${names.join(", ")})`,
  );
}

async function parseOptions(kind: ExportKind, options: ExportOptions): Promise<Omit<ExportRequest, "pseudonyms">> {
  const names = PLATFORMS.map(({ name }) => name);
  const { platform, where = null, output } = options;
  if (platform !== undefined && !names.includes(platform)) {
    throw new UsageError(`--platform must be one of ${names.join(", ")}, not ${platform}`);
  }
  if (where?.trim() === "") throw new UsageError("--where must not be empty; leave it out to export everything");
  const problem = whyNotWhere(kind, where);
  if (problem !== null) throw new UsageError(`--where ${problem}`);
  const format = await chooseFormat(options);
  if (options.pseudonymise === true && format.name === "json") {
    throw new UsageError("--pseudonymise needs another format than json, whose shapes may name people anywhere");
  }
  checkOutputFile(output, options.force === true);
  if (output === undefined && ["parquet", "sqlite"].includes(format.name)) {
    throw new UsageError(`${format.name} is not text: name a file with -o`);
  }
  return {
    kind,
    format,
    platforms: platform === undefined ? names : [platform],
    where,
    bom: options.bom === true,
    shapeOf: shapesFor(PLATFORMS, kind),
  };
}

async function chooseFormat({ format, output = "" }: ExportOptions): Promise<ExportRequest["format"]> {
  if (format !== undefined || output === "") return loadFormat(format ?? "ndjson");
  const formats = await Promise.all(FORMAT_NAMES.map(loadFormat));
  const byName = formats.find(({ extensions }) => extensions.some((ending) => output.endsWith(ending)));
  const extension = extname(output);
  if (byName === undefined && extension !== "") {
    throw new UsageError(
      `${extension} is no format of an export; use ${formats.map(({ extensions: [first] }) => first).join(", ")}, or choose one with --format`,
    );
  }
  return byName ?? loadFormat("ndjson");
}

async function write(rows: Export, file: string, force: boolean): Promise<Manifest> {
  await writeWhole(file, force, (partial) =>
    pipeline(rows.chunks(), createWriteStream(partial, { mode: 0o600, flush: true })),
  );
  const manifest = rows.takeManifest();
  await writeFile(`${file}.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function print(rows: Export, terminal: Terminal): Promise<Manifest> {
  terminal.checksOutput = true;
  try {
    await pipeline(rows.chunks(), process.stdout, { end: false });
  } catch (error) {
    if (errorCode(error) !== "EPIPE") throw error;
    throw new CommandError("the reader closed the pipe; the export is not complete", { cause: error });
  }
  return rows.takeManifest();
}
