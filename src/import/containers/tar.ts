/** Entries of a tar in the order they come, one at a time. */
import { type Extract, extract } from "tar-stream";
import type { Refusal } from "#api/refusals.ts";
import type { Bytes } from "./byte-stream.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface ArchiveEntry {
  name: string;
  size: number | null;
  modifiedAt: number | null;
  /** Read it, or leave it, before asking for the next entry. */
  bytes: Bytes;
}

export interface RefusedEntry {
  name: string;
  refused: Refusal;
}

const NOT_FILES: Record<string, Refusal> = {
  link: "not_a_plain_file: a link",
  symlink: "not_a_plain_file: a link",
  "character-device": "not_a_plain_file: a device",
  "block-device": "not_a_plain_file: a device",
  fifo: "not_a_plain_file: a pipe",
};

export async function* tarEntries(input: Bytes): AsyncGenerator<ArchiveEntry | RefusedEntry> {
  const archive = extract();
  const entries = archive[Symbol.asyncIterator]();
  const source = input[Symbol.asyncIterator]();
  const hunger = new Hunger();
  let inputFault: unknown;
  const feeding = feed();

  try {
    for (;;) {
      const next = await hunger.while(entries.next());
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
          bytes: bytesOf(entry as AsyncIterable<Buffer>),
        };
      }
      if (!entry.destroyed) entry.resume();
    }
    await feeding;
    if (inputFault !== undefined) throw inputFault;
  } catch (error) {
    throw inputFault ?? tarFault(error);
  } finally {
    archive.destroy();
    await source.return?.();
  }

  async function feed(): Promise<void> {
    try {
      for (;;) {
        const next = await source.next();
        if (next.done === true) break;
        if (!archive.write(next.value)) await drained(archive);
        if (archive.destroyed) return;
      }
    } catch (error) {
      inputFault = error;
    }
    // Ending a cut archive drops what its last entry has buffered, so first let that be read.
    await hunger.felt();
    archive.end(null);
  }

  /** Leaving an entry early must not end the archive, so the entry's own iterator is never closed from here. */
  async function* bytesOf(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = entry[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await hunger.while(chunks.next());
        if (next.done === true) break;
        yield next.value;
      }
    } catch (error) {
      throw inputFault ?? tarFault(error);
    }
  }
}

/** Knows whether the reading side is waiting for more. */
class Hunger {
  #hungry = false;
  #wake: (() => void) | undefined;

  async while<T>(meal: Promise<T>): Promise<T> {
    this.#hungry = true;
    this.#wake?.();
    try {
      return await meal;
    } finally {
      this.#hungry = false;
    }
  }

  /** Resolves when someone waits and nothing on its way reaches them. */
  async felt(): Promise<void> {
    for (;;) {
      if (!this.#hungry) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await new Promise(setImmediate);
      if (this.#hungry) return;
    }
  }
}

function drained(archive: Extract): Promise<void> {
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

function tarFault(error: unknown): unknown {
  if (error instanceof UnreadableError || !(error instanceof Error)) return error;
  const cut = /unexpected end|destroyed|premature/i.test(error.message);
  return new UnreadableError(cut ? "cut_short" : "damaged", error);
}
