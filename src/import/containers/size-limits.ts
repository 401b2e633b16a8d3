/**
 * How much of a stranger's file we are willing to open. Every bound exists because some file crosses it on purpose;
 * docs/decisions/0010-containers.md says how each number was chosen.
 */

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

export interface SizeLimits {
  /** Bytes that one named file may unfold to, all its layers and entries together. */
  outputBytes: number;
  /** Output bytes per input byte of one compressed stream. */
  ratio: number;
  /** Output that a compressed stream may give before its ratio is looked at. */
  ratioFromBytes: number;
  /** The same for a named file as a whole, over all that was unfolded from it. */
  archiveRatioFromBytes: number;
  /** Entries read of one archive. */
  entries: number;
  /** Layers of compression and archives around a file. */
  depth: number;
  /** Bytes written to the spool folder for a zip that is not a file of its own. */
  spoolBytes: number;
  /** Text of one record: a line, a row, an array element, a value that cannot be split. */
  recordBytes: number;
  /** Text of one JSON value beyond which the elements of its arrays become documents of their own. */
  splitBytes: number;
  /** Levels of nesting in one JSON value. */
  jsonDepth: number;
  /** One row of a table. A lost closing quote is noticed here. */
  rowBytes: number;
  /** A whole text or page. */
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

export function sizeText(bytes: number): string {
  if (bytes >= GiB) return `${Number((bytes / GiB).toFixed(1))} GiB`;
  if (bytes >= MiB) return `${Number((bytes / MiB).toFixed(1))} MiB`;
  return `${Math.ceil(bytes / KiB)} KiB`;
}
