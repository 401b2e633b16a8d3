/**
 * Checksums of rows that do not depend on their order: the digest of each row is added up, word by word. Rows that are
 * lost, doubled or changed show, whatever the order in which a store gives them.
 */
import { hash } from "node:crypto";
import { fnv1a } from "#domain/fnv1a.ts";
import type { CopyRow, CopyTable } from "../table-copy.ts";

const WORDS = 8;
const BUCKETS = 1_024;

export interface Total {
  rows: number;
  /** Hexadecimal. */
  sum: string;
}

export class Checksum {
  #rows = 0;
  readonly #words = new Uint32Array(WORDS);

  /** One that goes on from a total. */
  static from({ rows, sum }: Total): Checksum {
    const tally = new Checksum();
    tally.#rows = rows;
    for (let word = 0; word < WORDS; word++)
      tally.#words[word] = Number.parseInt(sum.slice(word * 8, word * 8 + 8), 16);
    return tally;
  }

  add(digest: Buffer): void {
    this.#rows++;
    // What does not fit into a word falls away by itself.
    for (let word = 0; word < WORDS; word++) {
      this.#words[word] = (this.#words[word] as number) + digest.readUInt32BE(word * 4);
    }
  }

  get total(): Total {
    return { rows: this.#rows, sum: [...this.#words].map((word) => word.toString(16).padStart(8, "0")).join("") };
  }
}

export function digestOf(row: CopyRow): Buffer {
  return hash("sha256", JSON.stringify(row), "buffer");
}

export function isSameTotal(one: Total, other: Total): boolean {
  return one.rows === other.rows && one.sum === other.sum;
}

/** The same rows in a thousand heaps, so that where two stores differ can be looked at without all the rest. */
export class Partitions {
  readonly #whole = new Checksum();
  readonly #heaps = new Map<number, Checksum>();

  add(heap: number, digest: Buffer): void {
    this.#whole.add(digest);
    let tally = this.#heaps.get(heap);
    if (tally === undefined) this.#heaps.set(heap, (tally = new Checksum()));
    tally.add(digest);
  }

  get total(): Total {
    return this.#whole.total;
  }

  /** The numbers of the heaps that are not the same. */
  differing(other: Partitions): number[] {
    const none = new Checksum();
    return [...new Set([...this.#heaps.keys(), ...other.#heaps.keys()])].filter(
      (heap) => !isSameTotal((this.#heaps.get(heap) ?? none).total, (other.#heaps.get(heap) ?? none).total),
    );
  }
}

/** What tells a row from others, for people too. */
export function keyOf({ keyColumns }: CopyTable, row: CopyRow): string {
  return row.slice(0, keyColumns).join("/");
}

/** The heap of a key: the same in every store. */
export function partitionOf(key: string): number {
  return fnv1a(key) % BUCKETS;
}

const NAMES: Partial<Record<CopyTable["name"], string>> = {
  erased: "erased ids",
  job_files: "job files",
  job_rejects: "rejects",
  counter_points: "counter points",
  account_names: "account names",
  chart_entries: "chart entries",
};

/** What a row counts as in a report: records by their kind. */
export function groupOf({ name }: CopyTable, row: CopyRow): string {
  return name === "records" ? `${String(row[1])}s` : (NAMES[name] ?? name);
}
