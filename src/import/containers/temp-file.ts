/** A zip is read from its end, so one that arrives as a stream is first saved to a temporary file. */
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ByteStream } from "./byte-stream.ts";
import { formatSize } from "./size-limits.ts";
import { toUnreadableError, UnreadableError } from "./unreadable-error.ts";

export interface TempFile {
  fd: number;
  close(): Promise<void>;
}

export async function saveToTempFile(bytes: ByteStream, folder: string, limit: number): Promise<TempFile> {
  const path = join(folder, `spool-${randomUUID()}`);
  let file: FileHandle | null = null;
  const close = async (): Promise<void> => {
    await file?.close();
    await rm(path, { force: true });
  };
  try {
    await mkdir(folder, { recursive: true });
    file = await open(path, "wx+", 0o600);
    // A file without a name is gone with its thread or process, however that ends. Not every system allows it.
    await rm(path).catch(() => undefined);
    let length = 0;
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > limit) throw new UnreadableError(`archive_too_large: more than ${formatSize(limit)}`);
      await file.writeFile(chunk);
    }
    return { fd: file.fd, close };
  } catch (error) {
    await close();
    throw toUnreadableError(error);
  }
}
