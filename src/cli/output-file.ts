import { statSync } from "node:fs";
import { UsageError } from "./command-errors.ts";

/**
 * Refuses what a finished file must not replace. A device or a pipe, such as `/dev/null` or `/dev/stdout`, would be gone
 * from the file system afterwards.
 */
export function checkOutputFile(output: string | undefined): void {
  if (output === undefined) return;
  const stats = statSync(output, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  throw new UsageError(
    stats.isDirectory()
      ? `${output} is a directory; name a file`
      : `${output} is not a regular file; leave -o out to write to standard output`,
  );
}
