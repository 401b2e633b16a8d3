/** Recognises file types by their first bytes. */
import type { Refusal } from "#api/refusals.ts";

/** Reason, magic bytes, offset. */
const SKIPPED: [string, number[], number][] = [
  ["media", [0xff, 0xd8, 0xff], 0],
  ["media", [0x89, 0x50, 0x4e, 0x47], 0],
  ["media", [...Buffer.from("GIF8")], 0],
  ["media", [...Buffer.from("WEBP")], 8],
  ["media", [...Buffer.from("ftyp")], 4],
  ["media", [0x1a, 0x45, 0xdf, 0xa3], 0],
  ["media", [...Buffer.from("OggS")], 0],
  ["media", [...Buffer.from("ID3")], 0],
  ["media", [...Buffer.from("%PDF-")], 0],
];

/** The first entry of an OpenDocument file, which is a zip: its name and its content. */
const OPEN_DOCUMENT_SPREADSHEET = "mimetypeapplication/vnd.oasis.opendocument.spreadsheet";

const REFUSED: [Refusal, number[], number?][] = [
  ["unsupported_archive: 7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["unsupported_archive: rar", [...Buffer.from("Rar!\x1a\x07", "latin1")]],
  ["unsupported_compression: bzip2", [...Buffer.from("BZh")]],
  ["unsupported_database: SQLite", [...Buffer.from("SQLite format 3\0", "latin1")]],
  ["unsupported_database: Parquet", [...Buffer.from("PAR1")]],
  ["unsupported_spreadsheet", [...Buffer.from(OPEN_DOCUMENT_SPREADSHEET)], 30],
];

export function skippedByMagic(head: Buffer): string | undefined {
  return SKIPPED.find(([, magic, offset]) => hasBytes(head, magic, offset))?.[0];
}

export function refusedByMagic(head: Buffer): Refusal | undefined {
  return REFUSED.find(([, magic, offset = 0]) => hasBytes(head, magic, offset))?.[0];
}

export function isZip(head: Buffer): boolean {
  return hasBytes(head, [0x50, 0x4b, 0x03, 0x04], 0) || hasBytes(head, [0x50, 0x4b, 0x05, 0x06], 0);
}

export function isTar(head: Buffer): boolean {
  return hasBytes(head, [...Buffer.from("ustar")], 257);
}

function hasBytes(head: Buffer, magic: readonly number[], offset: number): boolean {
  return magic.every((byte, index) => head[offset + index] === byte);
}
