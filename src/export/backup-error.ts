/** A backup cannot be written, read or restored. The message is one sentence that says why. */
export class BackupError extends Error {
  override name = "BackupError";
}
