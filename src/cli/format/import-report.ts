/** The report of an import as text: a line per file, and a summary. */
import type { FileReport, KindCounts } from "#domain/job.ts";
import { refusalText } from "#api/refusals.ts";
import type { ImportReport, NamedReport } from "#import/report.ts";
import { printable } from "./printable.ts";

/** Files that the summary names for each reason. */
const MAX_NAMED = 20;

export function formatFile(name: string, report: FileReport): string {
  const formats = Object.keys(report.formats);
  const parts = [
    formats.length === 0 ? "nothing recognised" : formats.join(", "),
    ...Object.entries(report.records).map(([kind, counts]) => `${kind} ${formatKindCounts(counts)}`),
    ...Object.entries(report.refused).map(([code, count]) => `refused ${count}: ${refusalText(code)}`),
    ...Object.entries(report.skipped).map(([reason, count]) => `skipped ${count}: ${reason}`),
  ];
  return `${printable(name)}: ${parts.join("; ")}\n`;
}

export function formatTotal(report: ImportReport, dryRun: boolean): string {
  const { formats, records, skipped } = report.total;
  const kinds = Object.entries(records);
  const lines = [`${dryRun ? "Would import" : "Imported"} from ${countFiles(report.files)} (job ${report.job}):`];
  if (Object.keys(formats).length > 0) lines.push(`  formats: ${Object.keys(formats).join(", ")}`);
  if (kinds.length === 0) lines.push("  no records");
  for (const [kind, counts] of kinds) lines.push(`  ${kind}: ${formatKindCounts(counts)}`);
  for (const [reason, count] of Object.entries(skipped)) lines.push(`  skipped ${count}: ${reason}`);
  return `${lines[0]}\n${formatProblems(report)}${lines.slice(1).join("\n")}\n`;
}

/** Each reason once, the most frequent first, with the files that have it; empty if everything was read. */
export function formatProblems({ files, total, rejects }: ImportReport): string {
  const shorten = withoutCommonFolder(files.map(({ name }) => name));
  const named = (chosen: readonly NamedReport[]) => formatNames(chosen.map(({ name }) => printable(shorten(name))));
  const lines = Object.entries(total.refused)
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([code, count]) => [
      `  refused ${count}: ${refusalText(code)}`,
      `    in ${named(files.filter(({ refused }) => code in refused))}`,
    ]);
  // A file without records that was refused or skipped is counted with its reason.
  const unrecognised = files.filter((file) => [file.formats, file.refused, file.skipped].every(isEmpty));
  if (unrecognised.length > 0) lines.push(`  nothing recognised in ${named(unrecognised)}`);
  if (rejects !== null) lines.push(`  refused records are listed in ${rejects}`);
  return lines.map((line) => `${line}\n`).join("");
}

function isEmpty(counts: object): boolean {
  return Object.keys(counts).length === 0;
}

/** Shortens paths by the folders that all of them are in. */
function withoutCommonFolder(names: readonly string[]): (name: string) => string {
  const folders = names.map((name) => name.split("/").slice(0, -1));
  const [first = []] = folders;
  const differs = first.findIndex((folder, at) => folders.some((other) => other[at] !== folder));
  const common = differs === -1 ? first.length : differs;
  return (name) => name.split("/").slice(common).join("/");
}

function formatNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  const more = rest > 0 ? ` and ${rest} more (--verbose lists all)` : "";
  return `${countFiles(names)}: ${names.slice(0, MAX_NAMED).join(", ")}${more}`;
}

export function countFiles({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? "file" : "files"}`;
}

function formatKindCounts({ new: created, updated, unchanged, erased }: KindCounts): string {
  const parts = [`${created} new`, `${updated} updated`, `${unchanged} unchanged`];
  if (erased > 0) parts.push(`${erased} skipped because they were erased`);
  return parts.join(", ");
}
