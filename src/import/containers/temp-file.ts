/** A zip is read from its end, so one that arrives as a stream is first saved to a temporary file. */
import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ByteStream } from "./byte-stream.ts";
import { formatSize } from "./size-limits.ts";
import { toUnreadableError, UnreadableError } from "./unreadable-error.ts";

export interface TempFile {
  path: string;
  remove(): Promise<void>;
}

export async function saveToTempFile(bytes: ByteStream, folder: string, limit: number): Promise<TempFile> {
  const path = join(folder, `spool-${randomUUID()}`);
  const remove = (): Promise<void> => rm(path, { force: true });
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(path, "wx", 0o600);
    try {
      let length = 0;
      for await (const chunk of bytes) {
        length += chunk.length;
        if (length > limit) throw new UnreadableError(`archive_too_large: more than ${formatSize(limit)}`);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw toUnreadableError(error);
  }
}
