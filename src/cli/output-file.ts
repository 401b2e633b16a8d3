import { statSync } from "node:fs";
import { UsageError } from "./command-errors.ts";

/** The option of every command that writes a file which the user names. */
export const FORCE_OPTION = ["--force", "replace the file if it exists"] as const;

/**
 * Refuses to replace a file without `--force`, and with it anything but a file: a device or a pipe, such as `/dev/null` or
 * `/dev/stdout`, would be gone from the file system afterwards.
 */
export function checkOutputFile(output: string | undefined, force: boolean): void {
  if (output === undefined) return;
  const stats = statSync(output, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) throw new UsageError(`${output} is a directory; name a file`);
  if (!stats.isFile())
    throw new UsageError(`${output} is not a regular file; leave -o out to write to standard output`);
  if (!force) throw new UsageError(`${output} exists; name another file, or add --force to replace it`);
}
