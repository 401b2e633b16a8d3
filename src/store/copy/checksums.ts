/**
 * Checksums that do not depend on the order of the rows: the digests are added up, 32 bits at a time. They reveal lost,
 * duplicated and changed rows.
 */
import { hash } from "node:crypto";
import { fnv1a } from "#domain/fnv1a.ts";
import type { CopyRow, CopyTable } from "../table-copy.ts";

/** 32-bit words of a SHA-256 digest. */
const WORDS = 8;
const PARTITIONS = 1_024;

export interface Total {
  rows: number;
  /** Hexadecimal. */
  sum: string;
}

export class Checksum {
  #rows = 0;
  readonly #words = new Uint32Array(WORDS);

  /** Resumes from a total. */
  static from({ rows, sum }: Total): Checksum {
    const checksum = new Checksum();
    checksum.#rows = rows;
    for (let word = 0; word < WORDS; word++)
      checksum.#words[word] = Number.parseInt(sum.slice(word * 8, word * 8 + 8), 16);
    return checksum;
  }

  add(digest: Buffer): void {
    this.#rows++;
    // A Uint32Array wraps around on overflow.
    for (let word = 0; word < WORDS; word++) {
      this.#words[word] = (this.#words[word] as number) + digest.readUInt32BE(word * 4);
    }
  }

  get total(): Total {
    return { rows: this.#rows, sum: [...this.#words].map((word) => word.toString(16).padStart(8, "0")).join("") };
  }
}

export const EMPTY_TOTAL: Total = new Checksum().total;

export function digestOf(row: CopyRow): Buffer {
  return hash("sha256", JSON.stringify(row), "buffer");
}

export function isSameTotal(one: Total, other: Total): boolean {
  return one.rows === other.rows && one.sum === other.sum;
}

/** Checksums of a thousand partitions, to find where two stores differ without comparing every row. */
export class Partitions {
  readonly #whole = new Checksum();
  readonly #partitions = new Map<number, Checksum>();

  add(partition: number, digest: Buffer): void {
    this.#whole.add(digest);
    let checksum = this.#partitions.get(partition);
    if (checksum === undefined) this.#partitions.set(partition, (checksum = new Checksum()));
    checksum.add(digest);
  }

  get total(): Total {
    return this.#whole.total;
  }

  /** The numbers of the partitions that differ. */
  differing(other: Partitions): number[] {
    const numbers = new Set([...this.#partitions.keys(), ...other.#partitions.keys()]);
    return [...numbers].filter((number) => !isSameTotal(this.#totalOf(number), other.#totalOf(number)));
  }

  #totalOf(partition: number): Total {
    return this.#partitions.get(partition)?.total ?? EMPTY_TOTAL;
  }
}

/** The key of a row, readable in reports. */
export function keyOf({ keyColumns }: CopyTable, row: CopyRow): string {
  return row.slice(0, keyColumns).join("/");
}

export function partitionOf(key: string): number {
  return fnv1a(key) % PARTITIONS;
}

const GROUP_NAMES: Partial<Record<CopyTable["name"], string>> = {
  erased: "erased ids",
  job_files: "job files",
  job_rejects: "rejects",
  counter_points: "counter points",
  account_names: "account names",
  chart_entries: "chart entries",
};

/** The group that a row belongs to in a report: its table, or for records their kind. */
export function groupOf({ name }: CopyTable, row: CopyRow): string {
  return name === "records" ? `${String(row[1])}s` : (GROUP_NAMES[name] ?? name);
}
