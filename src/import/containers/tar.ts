/** Reads the entries of a tar one at a time. */
import { type Extract, extract } from "tar-stream";
import type { Refusal } from "#api/refusals.ts";
import type { ByteStream } from "./byte-stream.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface ArchiveEntry {
  name: string;
  size: number | null;
  modifiedAt: number | null;
  /** To be read before the next entry is requested, if at all. */
  bytes: ByteStream;
  /** Names of the entries in the same folder; absent where they are not known beforehand, as in a tar. */
  siblings?: () => ReadonlySet<string>;
}

export interface RefusedEntry {
  name: string;
  refused: Refusal;
}

const NOT_FILES: Record<string, Refusal> = {
  link: "not_a_plain_file: link",
  symlink: "not_a_plain_file: link",
  "character-device": "not_a_plain_file: device",
  "block-device": "not_a_plain_file: device",
  fifo: "not_a_plain_file: pipe",
};

export async function* readTarEntries(input: ByteStream): AsyncGenerator<ArchiveEntry | RefusedEntry> {
  const archive = extract();
  const entries = archive[Symbol.asyncIterator]();
  const source = input[Symbol.asyncIterator]();
  const pendingReads = new PendingReads();
  let inputError: unknown;
  const feeding = feed();

  try {
    for (;;) {
      const next = await pendingReads.track(entries.next());
      if (next.done === true) break;
      const entry = next.value;
      const { name, type, size, mtime } = entry.header;
      const refused = NOT_FILES[type ?? "file"];
      if (refused !== undefined) yield { name, refused };
      else if (type === "file" || type === "contiguous-file") {
        yield {
          name,
          size: size ?? null,
          modifiedAt: mtime?.getTime() ?? null,
          bytes: readEntry(entry as AsyncIterable<Buffer>),
        };
      }
      if (!entry.destroyed) entry.resume();
    }
    await feeding;
    if (inputError !== undefined) throw inputError;
  } catch (error) {
    throw inputError ?? toTarError(error);
  } finally {
    archive.destroy();
    await source.return?.();
  }

  async function feed(): Promise<void> {
    try {
      for (;;) {
        const next = await source.next();
        if (next.done === true) break;
        if (!archive.write(next.value)) await waitForDrain(archive);
        if (archive.destroyed) return;
      }
    } catch (error) {
      inputError = error;
    }
    // Ending a truncated archive drops what its last entry has buffered, so let that be read first.
    await pendingReads.whenStarved();
    archive.end(null);
  }

  /** Leaving an entry early must not end the archive, so the entry's iterator is never closed here. */
  async function* readEntry(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = entry[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await pendingReads.track(chunks.next());
        if (next.done === true) break;
        yield next.value;
      }
    } catch (error) {
      throw inputError ?? toTarError(error);
    }
  }
}

/** Tracks whether a reader is waiting for more input. */
class PendingReads {
  #isWaiting = false;
  #wake: (() => void) | undefined;

  async track<T>(read: Promise<T>): Promise<T> {
    this.#isWaiting = true;
    this.#wake?.();
    try {
      return await read;
    } finally {
      this.#isWaiting = false;
    }
  }

  /** Resolves when a reader waits and no buffered data reaches it. */
  async whenStarved(): Promise<void> {
    for (;;) {
      if (!this.#isWaiting) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await new Promise(setImmediate);
      if (this.#isWaiting) return;
    }
  }
}

function waitForDrain(archive: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      archive.off("drain", done);
      archive.off("close", done);
      resolve();
    };
    archive.on("drain", done);
    archive.on("close", done);
  });
}

function toTarError(error: unknown): unknown {
  if (error instanceof UnreadableError || !(error instanceof Error)) return error;
  const isTruncated = /unexpected end|destroyed|premature/i.test(error.message);
  return new UnreadableError(isTruncated ? "cut_short" : "damaged", error);
}
