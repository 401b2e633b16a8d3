import { rename, rm, writeFile } from "node:fs/promises";

/**
 * The file gets its name when it is complete. An earlier one stays until then with `force`; without, it stays and the write
 * fails. A failure leaves no part of the file, and its error names the file.
 */
export async function writeWhole<Result>(
  file: string,
  force: boolean,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${file}.partial`;
  try {
    // A mode counts only for a new file: one of the same name may be readable by others.
    await rm(partial, { force: true });
    const result = await write(partial);
    // Takes the name where it is free: a rename would replace a file that appeared meanwhile.
    if (!force) await writeFile(file, "", { flag: "wx" });
    await rename(partial, file);
    return result;
  } catch (error) {
    // Where it cannot be deleted, it could not be written either.
    await rm(partial, { force: true }).catch(() => undefined);
    if (error instanceof Error && "path" in error && error.path === partial) error.path = file;
    throw error;
  }
}
