/** The report of an import as text: a line per file, and a summary. */
import type { FileReport, KindCounts } from "#domain/job.ts";
import { refusalText } from "#api/refusals.ts";
import { type Problem, ProblemGroups } from "#import/problem-groups.ts";
import type { ImportReport } from "#import/report.ts";
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
export function formatProblems({ files, rejects }: ImportReport): string {
  const groups = new ProblemGroups(MAX_NAMED);
  for (const file of files) groups.add(file);
  const lines = groups
    .list()
    .flatMap((problem) =>
      problem.code === null
        ? [`  nothing recognised in ${formatNames(problem)}`]
        : [`  refused ${problem.count}: ${refusalText(problem.code)}`, `    in ${formatNames(problem)}`],
    );
  if (rejects !== null) lines.push(`  refused records are listed in ${rejects}`);
  return lines.map((line) => `${line}\n`).join("");
}

function formatNames({ files, names }: Problem): string {
  const rest = files - names.length;
  const more = rest > 0 ? ` and ${rest} more (--verbose lists all)` : "";
  return `${formatFileCount(files)}: ${names.map(printable).join(", ")}${more}`;
}

export function countFiles({ length }: readonly unknown[]): string {
  return formatFileCount(length);
}

function formatFileCount(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}

function formatKindCounts({ new: created, updated, unchanged, erased }: KindCounts): string {
  const parts = [`${created} new`, `${updated} updated`, `${unchanged} unchanged`];
  if (erased > 0) parts.push(`${erased} skipped because they were erased`);
  return parts.join(", ");
}
