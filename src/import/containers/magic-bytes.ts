/** What a file is by its first bytes, where that decides whether we open it. */
import type { Refusal } from "#api/refusals.ts";

const PASSED_OVER: [string, number[], number][] = [
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

const REFUSED: [Refusal, number[]][] = [
  ["unsupported_archive: 7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["unsupported_archive: rar", [...Buffer.from("Rar!\x1a\x07", "latin1")]],
  ["unsupported_compression: bzip2", [...Buffer.from("BZh")]],
  ["unsupported_database: SQLite", [...Buffer.from("SQLite format 3\0", "latin1")]],
  ["unsupported_database: Parquet", [...Buffer.from("PAR1")]],
];

export function skippedByMagic(head: Buffer): string | undefined {
  return PASSED_OVER.find(([, mark, at]) => has(head, mark, at))?.[0];
}

export function refusedByMagic(head: Buffer): Refusal | undefined {
  return REFUSED.find(([, mark]) => has(head, mark, 0))?.[0];
}

export function isZip(head: Buffer): boolean {
  return has(head, [0x50, 0x4b, 0x03, 0x04], 0) || has(head, [0x50, 0x4b, 0x05, 0x06], 0);
}

export function isTar(head: Buffer): boolean {
  return has(head, [...Buffer.from("ustar")], 257);
}

function has(head: Buffer, mark: readonly number[], at: number): boolean {
  return mark.every((byte, offset) => head[at + offset] === byte);
}
