/** A zip is read from its end, so one that comes through a stream is first written to a nameless file of our own. */
import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bytes } from "./byte-stream.ts";
import { sizeText } from "./size-limits.ts";
import { systemFault, UnreadableError } from "./unreadable-error.ts";

export interface TempFile {
  path: string;
  remove(): Promise<void>;
}

export async function saveToTempFile(bytes: Bytes, folder: string, limit: number): Promise<TempFile> {
  const path = join(folder, `spool-${randomUUID()}`);
  const remove = (): Promise<void> => rm(path, { force: true });
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(path, "wx", 0o600);
    try {
      let length = 0;
      for await (const chunk of bytes) {
        length += chunk.length;
        if (length > limit) throw new UnreadableError(`archive_too_large: more than ${sizeText(limit)}`);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw systemFault(error);
  }
}
