/**
 * From the paths that a person names to the files inside, one at a time: folders are walked, archives and compression
 * opened to a limited depth. Nothing is extracted by name; links are not followed; what cannot be read is reported
 * with its reason and the rest goes on.
 */
import { createReadStream, type Dirent, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Refusal } from "#api/refusals.ts";
import { type Bytes, counted, peek } from "./byte-stream.ts";
import { compressionOf, decompress, nameWithin } from "./decompress.ts";
import { entrySegments, skipReason } from "./entry-names.ts";
import { Budget, guarded } from "./bomb-guard.ts";
import { isTar, isZip, skippedByMagic, refusedByMagic } from "./magic-bytes.ts";
import { DEFAULT_SIZE_LIMITS, type SizeLimits } from "./size-limits.ts";
import { saveToTempFile } from "./temp-file.ts";
import { STANDARD_INPUT } from "./standard-input.ts";
import { type ArchiveEntry, type RefusedEntry, tarEntries } from "./tar.ts";
import { systemFault, UnreadableError } from "./unreadable-error.ts";
import { zipEntries } from "./zip.ts";

export interface OpenedFile {
  /** For people: the path as named, then `!` and the path within for each archive. */
  name: string;
  /** For readers that take facts from names: folders, then the file's name without its compression's suffix. */
  segments: string[];
  /** Bytes that `bytes()` gives, where that is known before. */
  size: number | null;
  /** Unix milliseconds. */
  modifiedAt: number | null;
  /** The file on disk that this one is, or is inside of. */
  outer: { name: string; size: number | null };
  /** Once, and before the next file is asked for. Throws `Unreadable` where the input is at fault. */
  bytes(): Bytes;
  /** Bytes of the outer file consumed so far, for progress. */
  bytesRead(): number;
}

export interface RefusedFile {
  name: string;
  refused: Refusal;
}

/** Passed over on purpose: media beside the captures, hidden files, links. */
export interface SkippedFile {
  name: string;
  skipped: string;
}

export type Opened = OpenedFile | RefusedFile | SkippedFile;

export interface Opening {
  /** For zips that come through a stream; made when needed, and left empty. */
  spoolFolder: string;
  limits?: Partial<SizeLimits>;
  /** What `-` stands for. */
  standardInput?: Bytes;
  /** Told of all bytes as they are read and unfolded, whatever becomes of them. */
  onBytes?: ((count: number) => void) | undefined;
}

/** A file as it stands on disk, not opened yet; or a path at which there is nothing to open, with the reason. */
export interface NamedFile {
  name: string;
  /** Size and time: tells it from another file at the same path. Null where there is nothing that could change. */
  fingerprint: string | null;
  /** What is inside, under the name that it is to have in reports. */
  open(name: string): AsyncGenerator<Opened> | Opened[];
}

export async function* openFiles(paths: readonly string[], opening: Opening): AsyncGenerator<Opened> {
  for await (const file of nameFiles(paths, opening)) yield* file.open(file.name);
}

export async function* nameFiles(paths: readonly string[], opening: Opening): AsyncGenerator<NamedFile> {
  for (const path of paths) {
    if (path === "-") yield standardInput(opening);
    else yield* namePath(path, opening);
  }
}

function standardInput(opening: Opening): NamedFile {
  const bytes = opening.standardInput ?? (process.stdin as Bytes);
  const open = (name: string) => new Outer(name, null, opening).open(bytes, null, ["-"]);
  return { name: STANDARD_INPUT, fingerprint: null, open };
}

async function* namePath(path: string, opening: Opening): AsyncGenerator<NamedFile> {
  let found: Stats;
  try {
    found = await stat(path);
  } catch (error) {
    yield unopened(path, { refused: systemFault(error).refusal });
    return;
  }
  if (found.isDirectory()) yield* walk(path, [basename(path)], opening);
  else yield fileAt(path, [basename(path)], found, opening);
}

async function* walk(folder: string, segments: string[], opening: Opening): AsyncGenerator<NamedFile> {
  let children: Dirent[];
  try {
    children = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield unopened(folder, { refused: systemFault(error).refusal });
    return;
  }
  children.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const child of children) {
    const path = join(folder, child.name);
    const inner = [...segments, child.name];
    const reason = skipReason([child.name]);
    if (reason !== undefined) yield unopened(path, { skipped: reason });
    else if (child.isSymbolicLink()) yield unopened(path, { skipped: "link" });
    else if (child.isDirectory()) yield* walk(path, inner, opening);
    else if (!child.isFile()) yield unopened(path, { skipped: "not a file" });
    else {
      try {
        yield fileAt(path, inner, await stat(path), opening);
      } catch (error) {
        yield unopened(path, { refused: systemFault(error).refusal });
      }
    }
  }
}

function unopened(path: string, reason: { refused: Refusal } | { skipped: string }): NamedFile {
  return { name: path, fingerprint: null, open: (name) => [{ name, ...reason }] };
}

function fileAt(path: string, segments: string[], found: Stats, opening: Opening): NamedFile {
  const regular = found.isFile();
  return {
    name: path,
    // The time of a pipe is when somebody last wrote to it.
    fingerprint: regular ? `${found.size}:${found.mtimeMs}` : null,
    open(name) {
      const outer = new Outer(name, regular ? found.size : null, opening);
      return outer.open(fileBytes(path), found.mtimeMs, segments, regular ? path : undefined);
    },
  };
}

async function* fileBytes(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield chunk as Buffer;
  } catch (error) {
    throw systemFault(error);
  }
}

interface Layer {
  name: string;
  segments: string[];
  size: number | null;
  modifiedAt: number | null;
  bytes: Bytes;
  /** Where it stands on disk, if it does: zips are read from there. */
  path?: string | undefined;
}

const HEAD_BYTES = 512;

/** One named file with all that is inside it: they share a budget and a progress. */
class Outer {
  readonly #name: string;
  readonly #size: number | null;
  readonly #limits: SizeLimits;
  readonly #spoolFolder: string;
  readonly #budget: Budget;
  readonly #onBytes: Opening["onBytes"];
  #read = 0;

  constructor(name: string, size: number | null, opening: Opening) {
    this.#name = name;
    this.#size = size;
    this.#limits = { ...DEFAULT_SIZE_LIMITS, ...opening.limits };
    this.#spoolFolder = opening.spoolFolder;
    this.#onBytes = opening.onBytes;
    this.#budget = new Budget(this.#limits, () => this.#read, opening.onBytes);
  }

  open(bytes: Bytes, modifiedAt: number | null, segments: string[], path?: string): AsyncGenerator<Opened> {
    const outside = counted(bytes, (count) => this.#count(count));
    return this.#unfold({ name: this.#name, segments, size: this.#size, modifiedAt, bytes: outside, path }, 0);
  }

  #count(bytes: number): void {
    this.#read += bytes;
    this.#onBytes?.(bytes);
  }

  async *#unfold(layer: Layer, depth: number): AsyncGenerator<Opened> {
    const { head, bytes, close } = await peek(layer.bytes, HEAD_BYTES);
    try {
      const last = layer.segments.at(-1) ?? "";
      const compression = compressionOf(head, last);
      const archive = isZip(head) ? "zip" : isTar(head) ? "tar" : null;
      const skipped = skippedByMagic(head);
      const refused = refusedByMagic(head);
      if (skipped !== undefined) yield { name: layer.name, skipped };
      else if (refused !== undefined) yield { name: layer.name, refused };
      else if (compression === null && archive === null) yield this.#leaf(layer, bytes);
      else if (depth >= this.#limits.depth) {
        yield {
          name: layer.name,
          refused: `too_many_layers: more than ${depth}`,
        };
      } else if (compression !== null) {
        let fed = 0;
        const input = counted(bytes, (count) => {
          fed += count;
        });
        const unfolded = guarded(decompress(compression, input), () => fed, this.#budget, this.#limits);
        const segments = [...layer.segments.slice(0, -1), nameWithin(last, compression)];
        yield* this.#unfold({ ...layer, segments, size: null, bytes: unfolded, path: undefined }, depth + 1);
      } else if (archive === "tar") yield* this.#entries(layer, tarEntries(bytes), depth);
      else yield* this.#zip(layer, bytes, depth);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      yield { name: layer.name, refused: error.refusal };
    } finally {
      await close();
    }
  }

  #leaf(layer: Layer, bytes: Bytes): OpenedFile {
    return {
      name: layer.name,
      segments: layer.segments,
      size: layer.size,
      modifiedAt: layer.modifiedAt,
      outer: { name: this.#name, size: this.#size },
      bytes: () => bytes,
      bytesRead: () => this.#read,
    };
  }

  async *#zip(layer: Layer, bytes: Bytes, depth: number): AsyncGenerator<Opened> {
    const common = { limits: this.#limits, budget: this.#budget };
    if (layer.path !== undefined) {
      this.#read = 0;
      const count = (read: number): void => this.#count(read);
      yield* this.#entries(layer, zipEntries(layer.path, { ...common, count }), depth);
      return;
    }
    const spooled = await saveToTempFile(bytes, this.#spoolFolder, this.#limits.spoolBytes);
    try {
      yield* this.#entries(layer, zipEntries(spooled.path, { ...common, count: () => undefined }), depth);
    } finally {
      await spooled.remove();
    }
  }

  async *#entries(
    archive: Layer,
    entries: AsyncIterable<ArchiveEntry | RefusedEntry>,
    depth: number,
  ): AsyncGenerator<Opened> {
    let seen = 0;
    for await (const entry of entries) {
      if (++seen > this.#limits.entries) {
        throw new UnreadableError(`too_many_entries: more than ${this.#limits.entries}`);
      }
      const name = `${archive.name}!${entry.name}`;
      const within = entrySegments(entry.name);
      if (!Array.isArray(within)) yield { name, refused: within.refused };
      else if ("refused" in entry) yield { name, refused: entry.refused };
      else {
        const skipped = skipReason(within);
        if (skipped !== undefined) yield { name, skipped };
        else yield* this.#unfold({ ...entry, name, segments: [...archive.segments, ...within] }, depth + 1);
        if (this.#budget.exhausted !== undefined) throw new UnreadableError(this.#budget.exhausted);
      }
    }
  }
}
