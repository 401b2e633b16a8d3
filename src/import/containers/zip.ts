/**
 * Reads the entries of a zip by its central directory. Nothing is ever written under an entry's name. A zip whose entries
 * overlap, as in the densest zip bombs, is refused, and so is a spreadsheet.
 */
import { hash } from "node:crypto";
import { posix } from "node:path";
import { crc32 } from "node:zlib";
import { errorCode } from "#domain/error-code.ts";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import type { Refusal } from "#api/refusals.ts";
import { type ByteStream, countBytes } from "./byte-stream.ts";
import { type Compression, decompress } from "./decompress.ts";
import { type ExpansionBudget, limitExpansion } from "./bomb-guard.ts";
import type { SizeLimits } from "./size-limits.ts";
import type { ArchiveEntry, RefusedEntry } from "./tar.ts";
import { toUnreadableError, UnreadableError } from "./unreadable-error.ts";

export interface ZipOptions {
  limits: SizeLimits;
  budget: ExpansionBudget;
  /** Called with the number of bytes that were read of the zip. */
  onRead(bytes: number): void;
}

/** A path, or the descriptor of an open file, which stays open. */
type ZipSource = string | number;

export async function* readZipEntries(
  source: ZipSource,
  options: ZipOptions,
): AsyncGenerator<ArchiveEntry | RefusedEntry> {
  const folders = await checkDirectory(source, options.limits);
  const zip = await openZip(source);
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (name.endsWith("/")) continue;
      const refused = findRefusal(entry);
      if (refused !== undefined) yield { name, refused };
      else {
        yield {
          name,
          size: entry.uncompressedSize,
          modifiedAt: readModifiedAt(entry),
          bytes: readEntry(zip, entry, options),
          siblings: () => folders.get(folderKey(posix.normalize(name))) ?? new Set(),
        };
      }
    }
  } catch (error) {
    throw toZipError(error);
  } finally {
    if (typeof source === "string") zip.close();
  }
}

async function openZip(source: ZipSource): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;
  try {
    if (typeof source === "number") return await yauzl.fromFdPromise(source, options);
    return await yauzl.openPromise(source, options);
  } catch (error) {
    throw toZipError(error);
  }
}

function nameOf(entry: Entry): string {
  return yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
}

/** Excel's files are zips that contain these. */
const SPREADSHEET_ENTRIES: ReadonlySet<string> = new Set(["[Content_Types].xml", "xl/workbook.xml"]);

/**
 * A separate pass over the directory that stores two numbers and a short name per entry, so that reading stores none.
 * Returns the names by folder.
 */
async function checkDirectory(source: ZipSource, limits: SizeLimits): Promise<ReadonlyMap<string, Set<string>>> {
  const zip = await openZip(source);
  const spans: { start: number; end: number }[] = [];
  const ofSpreadsheet = new Set<string>();
  const folders = new Map<string, Set<string>>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (spans.length >= limits.entries) break;
      const start = entry.relativeOffsetOfLocalHeader;
      const end = start + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize;
      spans.push({ start, end });
      const name = nameOf(entry);
      addToFolder(folders, posix.normalize(name));
      if (SPREADSHEET_ENTRIES.has(name)) ofSpreadsheet.add(name);
    }
  } catch (error) {
    throw toZipError(error);
  } finally {
    if (typeof source === "string") zip.close();
  }
  if (ofSpreadsheet.size === SPREADSHEET_ENTRIES.size) throw new UnreadableError("unsupported_spreadsheet");
  spans.sort((one, other) => one.start - other.start);
  let previousEnd = 0;
  for (const { start, end } of spans) {
    if (start < previousEnd) throw new UnreadableError("overlapping_entries");
    previousEnd = end;
  }
  return folders;
}

/** A name may have 64 KiB; file systems allow 255 bytes. */
const MAX_NAME = 255;

function addToFolder(folders: Map<string, Set<string>>, path: string): void {
  const name = posix.basename(path);
  if (name.length > MAX_NAME) return;
  const key = folderKey(path);
  const names = folders.get(key);
  if (names === undefined) folders.set(key, new Set([name]));
  else names.add(name);
}

function folderKey(path: string): string {
  return hash("sha256", posix.dirname(path), "base64url").slice(0, 16);
}

const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const METHODS: Record<number, Compression> = { 8: "deflate", 93: "zstd" };

const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;
const SYMLINK = 0o120000;

function findRefusal(entry: Entry): Refusal | undefined {
  const kind = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  if (kind === SYMLINK) return "not_a_plain_file: link";
  if (kind !== 0 && kind !== REGULAR_FILE) return "not_a_plain_file";
  if (entry.isEncrypted()) return "encrypted";
  if (entry.compressionMethod !== STORED && METHODS[entry.compressionMethod] === undefined) {
    return `unsupported_compression: method ${entry.compressionMethod}`;
  }
  return undefined;
}

function readModifiedAt(entry: Entry): number | null {
  const at = entry.getLastModDate({ timezone: "UTC" }).getTime();
  return Number.isFinite(at) && at > 0 ? at : null;
}

async function* readEntry(zip: ZipFile, entry: Entry, options: ZipOptions): AsyncGenerator<Buffer> {
  let compressedBytes = 0;
  const raw = countBytes(rawBytes(zip, entry), (bytes) => {
    compressedBytes += bytes;
    options.onRead(bytes);
  });
  const compression = METHODS[entry.compressionMethod];
  const content: ByteStream =
    compression === undefined
      ? raw
      : limitExpansion(decompress(compression, raw), () => compressedBytes, options.budget, options.limits);
  let checksum = 0;
  for await (const chunk of content) {
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (checksum !== entry.crc32) throw new UnreadableError("damaged: wrong checksum");
}

async function* rawBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* await zip.openReadStreamPromise(entry, { decodeFileData: false });
  } catch (error) {
    throw toZipError(error);
  }
}

/** yauzl's own errors have no code; an error with a code comes from the system. */
function toZipError(error: unknown): unknown {
  if (error instanceof UnreadableError || !(error instanceof Error)) return error;
  if (errorCode(error) !== undefined) return toUnreadableError(error);
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new UnreadableError("damaged: or truncated", error);
}
