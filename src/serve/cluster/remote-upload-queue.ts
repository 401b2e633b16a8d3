/** Uploads where several processes answer: the worker that receives one spools it, and the first process imports it. */
import type { Jobs } from "#store/store.ts";
import { ImportQueue } from "#http/uploads/import-queue.ts";
import type { PrimaryMethods } from "./ipc-protocol.ts";
import type { RpcChannel } from "./ipc-rpc.ts";

export class RemoteUploadQueue extends ImportQueue {
  readonly #first: RpcChannel<PrimaryMethods>;
  readonly #full: () => boolean;

  /** `full` is what the first process last said. */
  constructor(jobs: Jobs, dataDir: string, first: RpcChannel<PrimaryMethods>, full: () => boolean) {
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
