/**
 * How long reading a file may take. Time counts while its thread is at work, and every byte that it gets through pays for
 * some: a file is refused once it is too far behind the slowest speed that is allowed. Time in which the reader waits for
 * the store does not count, nor time that a busy machine gives to other processes.
 */
import type { ClaimResponse, ClaimRequest, ReadBatch } from "./read-files.ts";

/** Reading does 40 to 100 MB/s on two busy cores. */
export const SLOWEST_BYTES_PER_S = 1024 * 1024;

export const TICK_MS = 250;

/** Of the time in which the process uses no processor: something waits for what may never come. */
const IDLE_SHARE = 0.1;

/** What the reading thread tells without sending messages: the thread may be too busy to send any. */
export class ReadingGauge {
  readonly shared: SharedArrayBuffer;
  readonly #values: Float64Array;

  constructor(shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#values = new Float64Array(shared);
  }

  /** All bytes read and unfolded so far. */
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

export class TimeAllowance {
  readonly #gauge: Pick<ReadingGauge, "bytes" | "isBusy">;
  readonly #maxBehindS: number;
  readonly #cpuSeconds: () => number;
  #behindS = 0;
  #bytes = 0;
  #cpuS: number;

  constructor(gauge: Pick<ReadingGauge, "bytes" | "isBusy">, maxBehindS: number, cpuSeconds = processorSeconds) {
    this.#gauge = gauge;
    this.#maxBehindS = maxBehindS;
    this.#cpuSeconds = cpuSeconds;
    this.#cpuS = cpuSeconds();
  }

  /** For the next file. */
  restart(): void {
    this.#behindS = 0;
  }

  /** Called at every tick; true once the file has used up its time. `mayWait`: it comes as slowly as its source likes. */
  isUsedUp(mayWait: boolean): boolean {
    const { bytes, isBusy } = this.#gauge;
    const cpuS = this.#cpuSeconds();
    const tickS = TICK_MS / 1000;
    const spentS = Math.min(tickS, Math.max(cpuS - this.#cpuS, mayWait ? 0 : tickS * IDLE_SHARE));
    const paidS = (bytes - this.#bytes) / SLOWEST_BYTES_PER_S;
    this.#cpuS = cpuS;
    this.#bytes = bytes;
    if (isBusy) this.#behindS = Math.max(0, this.#behindS + spentS - paidS);
    return this.#behindS > this.#maxBehindS;
  }
}

/** Of the whole process: no thread used more. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** The last that is told of a file whose thread was ended. */
export function refusedForTime(
  { fingerprint }: ClaimRequest,
  { claim, name }: Exclude<ClaimResponse, string>,
): ReadBatch {
  return {
    harvests: new Map(),
    rejects: [{ file: name, line: null, reason: "too_slow" }],
    refused: { too_slow: 1 },
    skipped: {},
    formats: {},
    repeated: {},
    size: 0,
    claim,
    ends: true,
    file: name,
    fingerprint: fingerprint ?? "",
    position: 0,
    state: "done",
    progress: { file: name, bytesRead: 0, bytesTotal: null },
  };
}
