/**
 * The time limit for reading one file. CPU time of the process counts while the parser thread is busy, and every byte
 * read earns some of it back: a file is refused once it is too far behind the lowest allowed speed. Time in which the
 * parser waits for the store does not count, nor time in which a busy machine runs other processes.
 */
import type { RefusalCode } from "#api/refusals.ts";
import { emptyBatch } from "./batch-builder.ts";
import type { ClaimRequest, GrantedClaim, ReadBatch } from "./read-files.ts";

/** Parsing does 40 to 100 MB/s on two busy cores. */
export const MIN_BYTES_PER_S = 1024 * 1024;

export const TICK_MS = 250;

/** The share of idle time that counts, so that a file which waits forever times out too. */
const IDLE_SHARE = 0.1;

/** What the parser thread does, in shared memory: it may be too busy to send messages. */
export class ParserActivity {
  readonly shared: SharedArrayBuffer;
  readonly #values: Float64Array;

  constructor(shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#values = new Float64Array(shared);
  }

  /** All bytes read or decompressed so far. */
  get bytes(): number {
    return this.#values[0] ?? 0;
  }

  addBytes(count: number): void {
    this.#values[0] = this.bytes + count;
  }

  get isBusy(): boolean {
    return this.#values[1] === 1;
  }

  set isBusy(isBusy: boolean) {
    this.#values[1] = isBusy ? 1 : 0;
  }
}

export class ReadTimeout {
  readonly #activity: Pick<ParserActivity, "bytes" | "isBusy">;
  readonly #maxBehindS: number;
  readonly #getCpuSeconds: () => number;
  #behindS = 0;
  #lastBytes = 0;
  #lastCpuS: number;

  constructor(
    activity: Pick<ParserActivity, "bytes" | "isBusy">,
    maxBehindS: number,
    getCpuSeconds = getProcessCpuSeconds,
  ) {
    this.#activity = activity;
    this.#maxBehindS = maxBehindS;
    this.#getCpuSeconds = getCpuSeconds;
    this.#lastCpuS = getCpuSeconds();
  }

  /** For the next file. */
  restart(): void {
    this.#behindS = 0;
  }

  /** To be called at every tick. `isPipe`: the input may arrive as slowly as its source sends it. */
  hasExpired(isPipe: boolean): boolean {
    const { bytes, isBusy } = this.#activity;
    const cpuS = this.#getCpuSeconds();
    const tickS = TICK_MS / 1000;
    const spentS = Math.min(tickS, Math.max(cpuS - this.#lastCpuS, isPipe ? 0 : tickS * IDLE_SHARE));
    const earnedS = (bytes - this.#lastBytes) / MIN_BYTES_PER_S;
    this.#lastCpuS = cpuS;
    this.#lastBytes = bytes;
    if (isBusy) this.#behindS = Math.max(0, this.#behindS + spentS - earnedS);
    return this.#behindS > this.#maxBehindS;
  }
}

/** Of all threads: none used more. */
function getProcessCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** The last batch of a file whose parser thread was terminated or has ended. */
export function createLastBatch(
  { fingerprint }: ClaimRequest,
  { claimId, name }: GrantedClaim,
  reason: RefusalCode,
): ReadBatch {
  return {
    kind: "batch",
    ...emptyBatch(),
    rejects: [{ file: name, line: null, reason }],
    refused: { [reason]: 1 },
    claimId,
    isLast: true,
    file: name,
    fingerprint: fingerprint ?? "",
    position: 0,
    state: "done",
    progress: { file: name, bytesRead: 0, bytesTotal: null },
  };
}
