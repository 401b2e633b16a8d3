/**
 * Opens the paths that a user names, one file at a time: walks folders and opens archives and compression to a limited
 * depth. Nothing is extracted by name and links are not followed. What cannot be read is reported with its reason.
 */
import { hash } from "node:crypto";
import { createReadStream, type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Refusal } from "#api/refusals.ts";
import { ExpansionBudget, limitExpansion } from "./bomb-guard.ts";
import { type ByteStream, countBytes, peek } from "./byte-stream.ts";
import { decompress, detectCompression, stripCompressionSuffix } from "./decompress.ts";
import { parseEntryName, skipReason } from "./entry-names.ts";
import { isTar, isZip, refusedByMagic, skippedByMagic } from "./magic-bytes.ts";
import { DEFAULT_SIZE_LIMITS, type SizeLimits } from "./size-limits.ts";
import { STANDARD_INPUT } from "./standard-input.ts";
import type { ArchiveEntry, RefusedEntry } from "./tar.ts";
import { saveToTempFile } from "./temp-file.ts";
import { toRefusal, toUnreadableError, UnreadableError } from "./unreadable-error.ts";

export interface OpenedFile {
  /** For reports: the path as given, then `!` and the path within for each archive. */
  name: string;
  /** For importers that use names: folders, then the file's name without its compression suffix. */
  segments: string[];
  /** Length of `bytes()`, if known beforehand. */
  size: number | null;
  /** Unix milliseconds. */
  modifiedAt: number | null;
  /** The file on disk that this one is, or is inside of. */
  diskFile: { name: string; size: number | null };
  /** Can be called once, before the next file is requested. Throws `UnreadableError` for bad input. */
  bytes(): ByteStream;
  /** Bytes of the file on disk read so far, for progress. */
  bytesRead(): number;
  /** Names of the files in its folder; absent for what is inside a tar, compressed, or not on disk. */
  siblings?: () => ReadonlySet<string>;
}

export interface RefusedFile {
  name: string;
  refused: Refusal;
}

/** Skipped on purpose: media beside the captures, hidden files, links. */
export interface SkippedFile {
  name: string;
  skipped: string;
}

export type OpenResult = OpenedFile | RefusedFile | SkippedFile;

export interface OpenOptions {
  /** For zips that arrive as a stream; created when needed, and left empty. */
  spoolFolder: string;
  limits?: Partial<SizeLimits>;
  /** The content of `-`. */
  standardInput?: ByteStream;
  /** Called for all bytes that are read or decompressed. */
  onBytes?: ((count: number) => void) | undefined;
}

/** A file on disk that is not opened yet, or a path that cannot be opened. */
export interface InputFile {
  name: string;
  /** Size and time: tells it from another file at the same path. Null if nothing is there that could change. */
  fingerprint: string | null;
  /** The files inside, reported under `name`. */
  open(name: string): AsyncGenerator<OpenResult> | OpenResult[];
}

export async function* listInputFiles(paths: readonly string[], options: OpenOptions): AsyncGenerator<InputFile> {
  for (const path of paths) {
    if (path === "-") yield createStdinFile(options);
    else yield* listPath(path, options);
  }
}

function createStdinFile(options: OpenOptions): InputFile {
  const bytes = options.standardInput ?? process.stdin;
  const open = (name: string) => new DiskFileOpener(name, null, options).open(bytes, null, ["-"]);
  return { name: STANDARD_INPUT, fingerprint: null, open };
}

async function* listPath(path: string, options: OpenOptions): AsyncGenerator<InputFile> {
  let stats: Stats;
  try {
    stats = await stat(path);
  } catch (error) {
    yield createUnopenedFile(path, { refused: toUnreadableError(error).refusal });
    return;
  }
  if (stats.isDirectory()) yield* walkFolder(path, [basename(path)], options);
  else yield createDiskFile(path, [basename(path)], stats, options);
}

async function* walkFolder(folder: string, segments: string[], options: OpenOptions): AsyncGenerator<InputFile> {
  let children: Dirent[];
  try {
    children = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield createUnopenedFile(folder, { refused: toUnreadableError(error).refusal });
    return;
  }
  children.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const child of children) {
    const path = join(folder, child.name);
    const childSegments = [...segments, child.name];
    const skipped = skipReason([child.name]);
    if (skipped !== undefined) yield createUnopenedFile(path, { skipped });
    else if (child.isSymbolicLink()) yield createUnopenedFile(path, { skipped: "link" });
    else if (child.isDirectory()) yield* walkFolder(path, childSegments, options);
    else if (!child.isFile()) yield createUnopenedFile(path, { skipped: "not a file" });
    else {
      try {
        yield createDiskFile(path, childSegments, await stat(path), options);
      } catch (error) {
        yield createUnopenedFile(path, { refused: toUnreadableError(error).refusal });
      }
    }
  }
}

function createUnopenedFile(path: string, reason: { refused: Refusal } | { skipped: string }): InputFile {
  return { name: path, fingerprint: null, open: (name) => [{ name, ...reason }] };
}

function createDiskFile(path: string, segments: string[], stats: Stats, options: OpenOptions): InputFile {
  const isRegular = stats.isFile();
  return {
    name: path,
    // The time of a pipe changes with every write.
    fingerprint: isRegular ? `${stats.size}:${stats.mtimeMs}` : null,
    open(name) {
      const opener = new DiskFileOpener(name, isRegular ? stats.size : null, options);
      return opener.open(readFromDisk(path), stats.mtimeMs, segments, isRegular ? path : undefined);
    },
  };
}

let lastListed: { folder: string; modifiedAt: number; names: ReadonlySet<string> } | undefined;

/** Every subtitle file asks for its folder: the last listing is kept until the folder changes. */
function listFolder(folder: string): ReadonlySet<string> {
  try {
    const modifiedAt = statSync(folder).mtimeMs;
    if (lastListed?.folder !== folder || lastListed.modifiedAt !== modifiedAt)
      lastListed = { folder, modifiedAt, names: new Set(readdirSync(folder)) };
    return lastListed.names;
  } catch {
    // The folder may forbid listing.
    return new Set();
  }
}

async function* readFromDisk(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  } catch (error) {
    throw toUnreadableError(error);
  }
}

/** A file on disk, the content of a compressed file, or an entry of an archive. */
interface Layer {
  name: string;
  segments: string[];
  size: number | null;
  modifiedAt: number | null;
  bytes: ByteStream;
  /** Of the file on disk, if it is one: zips are read from there. */
  path?: string | undefined;
  /** Absent if the archive does not tell them. */
  siblings?: OpenedFile["siblings"];
}

const HEAD_BYTES = 512;

/** Of what archives add to the name of the file on disk: names are keys in the store, which limits them. */
const MAX_INNER_NAME = 600;

/** Opens one file on disk with everything inside it: all of it shares one budget and one progress. */
class DiskFileOpener {
  readonly #name: string;
  readonly #size: number | null;
  readonly #limits: SizeLimits;
  readonly #spoolFolder: string;
  readonly #budget: ExpansionBudget;
  readonly #onBytes: OpenOptions["onBytes"];
  #bytesRead = 0;

  constructor(name: string, size: number | null, options: OpenOptions) {
    this.#name = name;
    this.#size = size;
    this.#limits = { ...DEFAULT_SIZE_LIMITS, ...options.limits };
    this.#spoolFolder = options.spoolFolder;
    this.#onBytes = options.onBytes;
    this.#budget = new ExpansionBudget(this.#limits, () => this.#bytesRead, options.onBytes);
  }

  open(source: ByteStream, modifiedAt: number | null, segments: string[], path?: string): AsyncGenerator<OpenResult> {
    const bytes = countBytes(source, (count) => this.#addRead(count));
    return this.#openLayer({ name: this.#name, segments, size: this.#size, modifiedAt, bytes, path }, 0);
  }

  #addRead(count: number): void {
    this.#bytesRead += count;
    this.#onBytes?.(count);
  }

  async *#openLayer(layer: Layer, depth: number): AsyncGenerator<OpenResult> {
    const { name } = layer;
    const { head, bytes, close } = await peek(layer.bytes, HEAD_BYTES);
    try {
      const fileName = layer.segments.at(-1) ?? "";
      const compression = detectCompression(head, fileName);
      const archive = isZip(head) ? "zip" : isTar(head) ? "tar" : null;
      const skipped = skippedByMagic(head);
      const refused = refusedByMagic(head);
      if (skipped !== undefined) yield { name, skipped };
      else if (refused !== undefined) yield { name, refused };
      else if (compression === null && archive === null) yield this.#createOpenedFile(layer, bytes);
      else if (depth >= this.#limits.depth) yield { name, refused: `too_many_layers: more than ${depth}` };
      else if (compression !== null) {
        let compressedBytes = 0;
        const input = countBytes(bytes, (count) => {
          compressedBytes += count;
        });
        const output = limitExpansion(
          decompress(compression, input),
          () => compressedBytes,
          this.#budget,
          this.#limits,
        );
        const segments = [...layer.segments.slice(0, -1), stripCompressionSuffix(fileName, compression)];
        yield* this.#openLayer({ ...layer, segments, size: null, bytes: output, path: undefined }, depth + 1);
      } else if (archive === "tar") {
        // Loaded on demand: few imports have an archive.
        const { readTarEntries } = await import("./tar.ts");
        yield* this.#openEntries(layer, readTarEntries(bytes), depth);
      } else yield* this.#openZip(layer, bytes, depth);
    } catch (error) {
      yield { name, refused: toRefusal(error) };
    } finally {
      await close();
    }
  }

  #createOpenedFile({ name, segments, size, modifiedAt, path, siblings }: Layer, bytes: ByteStream): OpenedFile {
    const diskFile = { name: this.#name, size: this.#size };
    const file = { name, segments, size, modifiedAt, diskFile, bytes: () => bytes, bytesRead: () => this.#bytesRead };
    if (path === undefined) return siblings === undefined ? file : { ...file, siblings };
    return { ...file, siblings: () => listFolder(dirname(path)) };
  }

  async *#openZip(layer: Layer, bytes: ByteStream, depth: number): AsyncGenerator<OpenResult> {
    const { readZipEntries } = await import("./zip.ts");
    const options = { limits: this.#limits, budget: this.#budget };
    if (layer.path !== undefined) {
      this.#bytesRead = 0;
      const onRead = (count: number): void => this.#addRead(count);
      yield* this.#openEntries(layer, readZipEntries(layer.path, { ...options, onRead }), depth);
      return;
    }
    const saved = await saveToTempFile(bytes, this.#spoolFolder, this.#limits.spoolBytes);
    try {
      yield* this.#openEntries(layer, readZipEntries(saved.fd, { ...options, onRead: () => undefined }), depth);
    } finally {
      await saved.close();
    }
  }

  async *#openEntries(
    archive: Layer,
    entries: AsyncIterable<ArchiveEntry | RefusedEntry>,
    depth: number,
  ): AsyncGenerator<OpenResult> {
    let count = 0;
    for await (const entry of entries) {
      if (++count > this.#limits.entries) {
        throw new UnreadableError(`too_many_entries: more than ${this.#limits.entries}`);
      }
      const name = this.#nameEntry(archive, entry);
      const segments = parseEntryName(entry.name);
      if (!Array.isArray(segments)) yield { name, refused: segments.refused };
      else if ("refused" in entry) yield { name, refused: entry.refused };
      else {
        const skipped = skipReason(segments);
        if (skipped !== undefined) yield { name, skipped };
        else yield* this.#openLayer({ ...entry, name, segments: [...archive.segments, ...segments] }, depth + 1);
        if (this.#budget.exhausted !== undefined) throw new UnreadableError(this.#budget.exhausted);
      }
    }
  }

  /** The end of a long name is replaced by a digest of it, so that each entry has its own. */
  #nameEntry(archive: Layer, entry: { name: string }): string {
    const name = `${archive.name}!${entry.name}`;
    if (name.length - this.#name.length <= MAX_INNER_NAME) return name;
    const start = name.slice(0, this.#name.length + MAX_INNER_NAME).toWellFormed();
    return `${start}…${hash("sha256", name, "base64url").slice(0, 16)}`;
  }
}
