/** The upload queue of a worker: it saves the files, and the primary imports them. */
import { UploadFolder } from "#http/uploads/upload-folder.ts";
import type { UploadQueue } from "#http/uploads/upload-queue.ts";
import type { PrimaryChannel } from "./ipc-protocol.ts";

export class RemoteUploadQueue implements UploadQueue {
  readonly folder: UploadFolder;
  readonly isFull: () => boolean;
  readonly #primary: PrimaryChannel;

  /** `isFull` is what the primary last reported. */
  constructor(dataDir: string, primary: PrimaryChannel, isFull: () => boolean) {
    this.folder = new UploadFolder(dataDir);
    this.isFull = isFull;
    this.#primary = primary;
  }

  async add(key: string, origin: "push" | "upload", label: string): Promise<void> {
    await this.#primary.call("addUpload", { key, origin, label });
  }
}
