import type { UploadFolder } from "./upload-folder.ts";

/** Where uploads wait for their import; in a worker process the queue itself is in the primary. */
export interface UploadQueue {
  readonly folder: UploadFolder;
  isFull(): boolean;
  /** Resolves once the job is stored: the upload may then be acknowledged. */
  add(key: string, origin: "push" | "upload", label: string): Promise<void>;
}
