/**
 * Limits on what is read from an untrusted file. docs/decisions/0010-containers.md says how each number was chosen.
 */

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

export interface SizeLimits {
  /** Decompressed bytes of one file on disk, all layers and entries together. */
  outputBytes: number;
  /** Output bytes per input byte of one compressed stream. */
  ratio: number;
  /** Output of a compressed stream from which its ratio is checked. */
  ratioFromBytes: number;
  /** The same for a file on disk as a whole. */
  archiveRatioFromBytes: number;
  /** Entries of one archive. */
  entries: number;
  /** Layers of compression and archives around a file. */
  depth: number;
  /** Bytes written to the spool folder for a zip that is not a file on disk. */
  spoolBytes: number;
  /** Text of one record: a line, an array element, a value that cannot be split. */
  recordBytes: number;
  /** Text of one JSON value from which the elements of its arrays become documents. */
  splitBytes: number;
  /** Levels of nesting in one JSON value. */
  jsonDepth: number;
  /** One row of a table. Detects a missing closing quote. */
  rowBytes: number;
  /** A whole text or web page. */
  textBytes: number;
}

export const DEFAULT_SIZE_LIMITS: SizeLimits = {
  outputBytes: 8 * GiB,
  ratio: 500,
  ratioFromBytes: 16 * MiB,
  archiveRatioFromBytes: 256 * MiB,
  entries: 100_000,
  depth: 3,
  spoolBytes: 4 * GiB,
  recordBytes: 24 * MiB,
  splitBytes: 8 * MiB,
  jsonDepth: 1000,
  rowBytes: 4 * MiB,
  textBytes: 32 * MiB,
};

export function formatSize(bytes: number): string {
  if (bytes >= GiB) return `${Number((bytes / GiB).toFixed(1))} GiB`;
  if (bytes >= MiB) return `${Number((bytes / MiB).toFixed(1))} MiB`;
  return `${Math.ceil(bytes / KiB)} KiB`;
}
