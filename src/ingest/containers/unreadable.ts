/** The input is at fault, not the program: the message is the reason that a person is told. It names no machine path. */
export class Unreadable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "Unreadable";
  }
}

const SYSTEM_REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read by this user",
  EPERM: "it may not be read by this user",
  EISDIR: "it is a folder",
  ELOOP: "it is a link that leads in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  ENOSPC: "there is no space left for spooling",
  EIO: "the disk cannot read it",
};

/** A system error as a reason; anything else is a fault of the program and is thrown on. */
export function systemFault(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  const code = codeOf(error);
  if (code !== undefined && /^E[A-Z]+$/.test(code))
    return new Unreadable(SYSTEM_REASONS[code] ?? `the system says ${code}`, error);
  throw error;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
