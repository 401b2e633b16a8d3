/**
 * Entries of a zip, by its central directory. Names are data here: nothing is ever written under them. Entries that
 * share bytes, the trick of the densest zip bombs, make the whole archive suspect and refuse it.
 */
import { crc32 } from "node:zlib";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import type { Refusal } from "#api/refusals.ts";
import { type Bytes, counted } from "./byte-stream.ts";
import { type Compression, decompress } from "./decompress.ts";
import { type Budget, guarded } from "./bomb-guard.ts";
import type { SizeLimits } from "./size-limits.ts";
import type { ArchiveEntry, RefusedEntry } from "./tar.ts";
import { codeOf, systemFault, UnreadableError } from "./unreadable-error.ts";

export interface ZipReading {
  limits: SizeLimits;
  budget: Budget;
  /** Told of the bytes of the zip that were read. */
  count(bytes: number): void;
}

export async function* zipEntries(path: string, reading: ZipReading): AsyncGenerator<ArchiveEntry | RefusedEntry> {
  await refuseOverlaps(path, reading.limits);
  const zip = await openZip(path);
  try {
    let seen = 0;
    for await (const entry of zip.eachEntry()) {
      if (++seen > reading.limits.entries) {
        throw new UnreadableError(`too_many_entries: more than ${reading.limits.entries}`);
      }
      const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
      if (name.endsWith("/")) continue;
      const refused = refusal(entry);
      if (refused !== undefined) yield { name, refused };
      else {
        yield {
          name,
          size: entry.uncompressedSize,
          modifiedAt: modifiedAt(entry),
          bytes: contents(zip, entry, reading),
        };
      }
    }
  } catch (error) {
    throw zipFault(error);
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await yauzl.openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
  } catch (error) {
    throw zipFault(error);
  }
}

/** A pass of its own over the directory that keeps two numbers an entry, so that the reading pass keeps none. */
async function refuseOverlaps(path: string, limits: SizeLimits): Promise<void> {
  const zip = await openZip(path);
  const spans: { start: number; end: number }[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      if (spans.length >= limits.entries) break;
      const start = entry.relativeOffsetOfLocalHeader;
      const end = start + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize;
      spans.push({ start, end });
    }
  } catch (error) {
    throw zipFault(error);
  } finally {
    zip.close();
  }
  spans.sort((one, other) => one.start - other.start);
  for (let at = 1; at < spans.length; at++) {
    if (spans[at]!.start < spans[at - 1]!.end) throw new UnreadableError("overlapping_entries");
  }
}

const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const METHODS: Record<number, Compression> = { 8: "deflate", 93: "zstd" };

const KIND_OF_FILE = 0o170000;
const REGULAR = 0o100000;
const LINK = 0o120000;

function refusal(entry: Entry): Refusal | undefined {
  const kind = (entry.externalFileAttributes >>> 16) & KIND_OF_FILE;
  if (kind === LINK) return "not_a_plain_file: a link";
  if (kind !== 0 && kind !== REGULAR) return "not_a_plain_file";
  if (entry.isEncrypted()) return "encrypted";
  if (entry.compressionMethod !== STORED && METHODS[entry.compressionMethod] === undefined) {
    return `unsupported_compression: method ${entry.compressionMethod}`;
  }
  return undefined;
}

function modifiedAt(entry: Entry): number | null {
  const at = entry.getLastModDate({ timezone: "UTC" }).getTime();
  return Number.isFinite(at) && at > 0 ? at : null;
}

async function* contents(zip: ZipFile, entry: Entry, reading: ZipReading): AsyncGenerator<Buffer> {
  let fed = 0;
  const raw = counted(rawBytes(zip, entry), (bytes) => {
    fed += bytes;
    reading.count(bytes);
  });
  const compression = METHODS[entry.compressionMethod];
  const unfolded: Bytes =
    compression === undefined ? raw : guarded(decompress(compression, raw), () => fed, reading.budget, reading.limits);
  let sum = 0;
  for await (const chunk of unfolded) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) throw new UnreadableError("damaged: its checksum does not fit");
}

async function* rawBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw zipFault(error);
  }
}

/** yauzl's errors have no codes of their own; what has one comes from the system. */
function zipFault(error: unknown): unknown {
  if (error instanceof UnreadableError || !(error instanceof Error)) return error;
  if (codeOf(error) !== undefined) return systemFault(error);
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new UnreadableError("damaged: or cut short", error);
}
