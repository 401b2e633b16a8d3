/** The upload queue of a worker: it saves the files, and the primary imports them. */
import { UploadFolder } from "#http/uploads/upload-folder.ts";
import type { ReceivedUpload, UploadQueue } from "#http/uploads/upload-queue.ts";
import type { PrimaryChannel } from "./ipc-protocol.ts";

export class RemoteUploadQueue implements UploadQueue {
  readonly folder: UploadFolder;
  readonly isFull: (token: string) => boolean;
  readonly #primary: PrimaryChannel;

  /** `isFull` is what the primary last reported. */
  constructor(dataDir: string, primary: PrimaryChannel, isFull: (token: string) => boolean) {
    this.folder = new UploadFolder(dataDir);
    this.isFull = isFull;
    this.#primary = primary;
  }

  add(upload: ReceivedUpload): Promise<string> {
    return this.#primary.call("addUpload", upload);
  }
}
