/** Uploads where several processes answer: the worker that receives one spools it, and the first process imports it. */
import type { Jobs } from "#store/store.ts";
import { ImportQueue } from "#http/uploads/import-queue.ts";
import type { AskedOfFirst } from "./calls.ts";
import type { Link } from "./link.ts";

export class HandedUploads extends ImportQueue {
  readonly #first: Link<AskedOfFirst>;
  readonly #full: () => boolean;

  /** `full` is what the first process last said. */
  constructor(jobs: Jobs, dataDir: string, first: Link<AskedOfFirst>, full: () => boolean) {
    const never = () => Promise.reject(new Error("a worker imports nothing"));
    super(jobs, dataDir, never, () => undefined);
    this.#first = first;
    this.#full = full;
  }

  override isFull(): boolean {
    return this.#full();
  }

  override async add(key: string, origin: "push" | "upload", label: string): Promise<void> {
    await this.#first.call("upload", { key, origin, label });
  }
}
