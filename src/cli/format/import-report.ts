/** The report of an import as text: a line per file, and a summary. */
import type { FileReport, KindCounts } from "#domain/job.ts";
import { refusalText } from "#api/refusals.ts";
import type { ImportReport } from "#import/report.ts";
import { printable } from "./printable.ts";

/** Unrecognised files that the summary names. */
const MAX_NAMED = 5;

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
  const { formats, records, refused, skipped } = report.total;
  const kinds = Object.entries(records);
  const lines = [`${dryRun ? "Would import" : "Imported"} from ${countFiles(report.files)} (job ${report.job}):`];
  if (Object.keys(formats).length > 0) lines.push(`  formats: ${Object.keys(formats).join(", ")}`);
  if (kinds.length === 0) lines.push("  no records");
  for (const [kind, counts] of kinds) lines.push(`  ${kind}: ${formatKindCounts(counts)}`);
  for (const [code, count] of Object.entries(refused)) lines.push(`  refused ${count}: ${refusalText(code)}`);
  if (report.rejects !== null) lines.push(`  refused records are listed in ${report.rejects}`);
  for (const [reason, count] of Object.entries(skipped)) lines.push(`  skipped ${count}: ${reason}`);
  // What was skipped on purpose is counted above.
  const unrecognised = report.files.filter(
    (file) => isEmpty(file.formats) && !(isEmpty(file.refused) && !isEmpty(file.skipped)),
  );
  if (unrecognised.length > 0) lines.push(`  nothing recognised in ${formatNames(unrecognised)}`);
  return `${lines.join("\n")}\n`;
}

function isEmpty(counts: object): boolean {
  return Object.keys(counts).length === 0;
}

function formatNames(files: readonly { name: string }[]): string {
  const named = files.slice(0, MAX_NAMED).map(({ name }) => printable(name));
  const rest = files.length - named.length;
  return `${countFiles(files)}: ${named.join(", ")}${rest === 0 ? "" : ` and ${rest} more (--verbose lists all)`}`;
}

export function countFiles({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? "file" : "files"}`;
}

function formatKindCounts({ new: created, updated, unchanged, erased }: KindCounts): string {
  const parts = [`${created} new`, `${updated} updated`, `${unchanged} unchanged`];
  if (erased > 0) parts.push(`${erased} skipped because they were erased`);
  return parts.join(", ");
}
