/** The files of uploads until their import is done, in a directory per upload: formats take facts from file names. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

export class UploadFolder {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "uploads");
  }

  keys(): string[] {
    return existsSync(this.#path) ? readdirSync(this.#path).toSorted() : [];
  }

  /** The directory of an upload, created if missing. */
  pathOf(key: string): string {
    const path = join(this.#path, key);
    // Readable by the owner only, as the store is.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  delete(key: string): void {
    rmSync(join(this.#path, key), { recursive: true, force: true });
  }

  /** How long nothing was added to an upload. */
  ageMs(key: string): number {
    const changedAt = statSync(join(this.#path, key), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - changedAt;
  }
}
