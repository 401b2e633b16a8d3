/** The report of an import as text. */
import type { FileReport, KindCounts } from "#domain/job.ts";
import { refusalText } from "#api/refusals.ts";
import type { ImportReport } from "#import/report.ts";

export function formatFile(name: string, report: FileReport): string {
  const formats = Object.keys(report.formats);
  const lines = [`${name}: ${formats.length === 0 ? "nothing recognised" : formats.join(", ")}`];
  for (const [kind, counts] of Object.entries(report.records)) lines.push(`  ${kind}: ${formatCounts(counts)}`);
  for (const [code, count] of Object.entries(report.refused)) lines.push(`  refused ${count}: ${refusalText(code)}`);
  for (const [reason, count] of Object.entries(report.skipped)) lines.push(`  skipped ${count}: ${reason}`);
  return `${lines.join("\n")}\n`;
}

export function formatTotal(report: ImportReport, dryRun: boolean): string {
  const kinds = Object.entries(report.total.records);
  const files = `${report.files.length} ${report.files.length === 1 ? "file" : "files"}`;
  const lines = [`${dryRun ? "Would import" : "Imported"} from ${files} (job ${report.job}):`];
  if (kinds.length === 0) lines.push("  no records");
  for (const [kind, counts] of kinds) lines.push(`  ${kind}: ${formatCounts(counts)}`);
  const refused = Object.values(report.total.refused).reduce((sum, count) => sum + count, 0);
  if (refused > 0) lines.push(`  refused: ${refused}${report.rejects === null ? "" : `, listed in ${report.rejects}`}`);
  return `${lines.join("\n")}\n`;
}

function formatCounts({ new: created, updated, unchanged, erased }: KindCounts): string {
  const parts = [`${created} new`, `${updated} updated`, `${unchanged} unchanged`];
  if (erased > 0) parts.push(`${erased} skipped because they were erased`);
  return parts.join(", ");
}
