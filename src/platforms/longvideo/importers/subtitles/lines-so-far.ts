/**
 * A top-level list arrives one element at a time, but a track is stored whole. Lines accumulate here while the file is
 * being read, and each new line collects the track with everything before it.
 */
import type { Collector, SourceDocument, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";

const linesSoFar = new WeakMap<SourceFile, SubtitleLine[]>();

/** The lines up to this one, which is undefined if it could not be read. Null after a refusal. */
export function addLine(
  line: SubtitleLine | undefined,
  document: SourceDocument,
  file: SourceFile,
  collect: Collector,
): SubtitleLine[] | null {
  const lines = document.index === 0 ? [] : linesSoFar.get(file);
  if (lines === undefined) {
    // An import resumed after a kill has lost the earlier lines, and must not replace them with the rest.
    collect.refuse("transcript_interrupted");
    return null;
  }
  linesSoFar.set(file, lines);
  if (line === undefined) {
    collect.refuse("subtitle_line_incomplete");
    return null;
  }
  lines.push(line);
  return lines;
}
