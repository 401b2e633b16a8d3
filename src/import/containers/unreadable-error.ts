/** The input is at fault, not the program. */
import { type Refusal, refusalText } from "#api/refusals.ts";

export class UnreadableError extends Error {
  override name = "UnreadableError";
  /** The reason that a person is told. It names no machine path. */
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusalText(refusal), cause === undefined ? undefined : { cause });
    this.refusal = refusal;
  }
}

const SYSTEM_REASONS: Record<string, Refusal> = {
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

/** A system error as a reason; anything else is a fault of the program and is thrown on. */
export function systemFault(error: unknown): UnreadableError {
  if (error instanceof UnreadableError) return error;
  const code = codeOf(error);
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return new UnreadableError(SYSTEM_REASONS[code] ?? `system_error: ${code}`, error);
  throw error;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
