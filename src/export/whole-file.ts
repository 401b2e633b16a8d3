import { rename, rm } from "node:fs/promises";

/**
 * The file gets its name when it is complete; the one before it is replaced. What fails leaves no part of it, and its
 * error names the file.
 */
export async function writeWhole<Result>(file: string, write: (partial: string) => Promise<Result>): Promise<Result> {
  const partial = `${file}.partial`;
  try {
    // A mode counts only for a new file: one of the same name may be readable by others.
    await rm(partial, { force: true });
    const result = await write(partial);
    await rename(partial, file);
    return result;
  } catch (error) {
    // Where it cannot be deleted, it could not be written either.
    await rm(partial, { force: true }).catch(() => undefined);
    if (error instanceof Error && "path" in error && error.path === partial) error.path = file;
    throw error;
  }
}
