/** The input cannot be read; the program is not at fault. */
import { type Refusal, refusalText } from "#api/refusals.ts";
import { errorCode } from "#domain/error-code.ts";
import { describeBug } from "#domain/storage-fault.ts";

export class UnreadableError extends Error {
  override name = "UnreadableError";
  /** The reason for the report. It contains no path of this machine. */
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusalText(refusal), cause === undefined ? undefined : { cause });
    this.refusal = refusal;
  }
}

const SYSTEM_REFUSALS: Record<string, Refusal> = {
  ENOENT: "file_not_found",
  EACCES: "file_not_permitted",
  EPERM: "file_not_permitted",
  EISDIR: "file_is_folder",
  ELOOP: "link_loop",
  ENAMETOOLONG: "file_name_too_long",
  EMFILE: "too_many_open_files",
  ENOSPC: "no_space_left",
  EIO: "disk_error",
};

/** Converts a system error; rethrows anything else, since it is a bug. */
export function toUnreadableError(error: unknown): UnreadableError {
  if (error instanceof UnreadableError) return error;
  const code = errorCode(error);
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return new UnreadableError(SYSTEM_REFUSALS[code] ?? `system_error: ${code}`, error);
  throw error;
}

/** Of any error: a bug must cost no more than the document or file that it meets. */
export function toRefusal(error: unknown): Refusal {
  try {
    return toUnreadableError(error).refusal;
  } catch {
    return `unexpected_error: ${describeBug(error)}`;
  }
}
