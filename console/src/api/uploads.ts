/** Uploading with progress, which `fetch` does not tell. A form has at most 100 files; more are sent as further imports. */
import { readBody } from "./admin.ts";
import type { QueuedUpload } from "./admin-routes.ts";

const MAX_FILES = 100;

export interface ChosenFile {
  file: File;
  /** From the folder that was dropped or chosen on: formats take facts from the names of folders. */
  path: string;
}

export interface Sent {
  uploads: QueuedUpload[];
  /** How many files were not sent after those; null if all were. */
  rest: { files: number; error: unknown } | null;
}

export async function uploadFiles(files: readonly ChosenFile[], onProgress: (share: number) => void): Promise<Sent> {
  const uploads: QueuedUpload[] = [];
  const total = bytesOf(files) || 1;
  let sent = 0;
  for (let start = 0; start < files.length; start += MAX_FILES) {
    const part = files.slice(start, start + MAX_FILES);
    const before = sent;
    try {
      uploads.push(await sendForm(part, (bytes) => onProgress(Math.min(1, (before + bytes) / total))));
    } catch (error) {
      if (uploads.length === 0) throw error;
      // What was taken is being imported all the same.
      return { uploads, rest: { files: files.length - start, error } };
    }
    sent += bytesOf(part);
  }
  return { uploads, rest: null };
}

export function bytesOf(files: readonly ChosenFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

function sendForm(files: readonly ChosenFile[], onProgress: (bytes: number) => void): Promise<QueuedUpload> {
  const form = new FormData();
  for (const { file, path } of files) form.append("files", file, path);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("error", () => reject(new TypeError("the upload was cut off")));
    request.addEventListener("load", () =>
      resolve(readBody(new Response(request.responseText, { status: request.status }))),
    );
    request.open("POST", "/ingest/files");
    request.setRequestHeader("x-requested-with", "triptych-console");
    request.send(form);
  });
}

export function chosenFiles(files: FileList): ChosenFile[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** The files of what was dropped, those in folders too. */
export async function droppedFiles(data: DataTransfer): Promise<ChosenFile[]> {
  // Entries must be taken before the event is over.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return chosenFiles(data.files);
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path: entry.fullPath.slice(1) }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.filter(({ name }) => !name.startsWith(".")).map(filesOf))).flat();
}
