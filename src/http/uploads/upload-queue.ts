import type { UploadFolder } from "./upload-folder.ts";

export interface ReceivedUpload {
  key: string;
  origin: "push" | "upload";
  label: string;
  /** Key id of the token that sent it. */
  token: string;
  /** Digest of the names and bytes of its files. */
  digest: string;
}

/** Where uploads wait for their import; in a worker process the queue itself is in the primary. */
export interface UploadQueue {
  readonly folder: UploadFolder;
  /** Whether the token has to wait before it sends more. */
  isFull(token: string): boolean;
  /**
   * Resolves once the job is stored: the upload may then be acknowledged. Returns the key of the job, which is that of an
   * earlier upload if the token sent the same bytes within a day.
   */
  add(upload: ReceivedUpload): Promise<string>;
}
