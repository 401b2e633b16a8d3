/** The files of uploads until their import is done, in a directory per upload: formats take facts from file names. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

export class UploadFolder {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "uploads");
  }

  keys(): string[] {
    return existsSync(this.#path) ? readdirSync(this.#path).toSorted() : [];
  }

  pathOf(key: string): string {
    return join(this.#path, key);
  }

  /** Creates the directory of an upload, readable by its owner only. */
  async create(key: string): Promise<string> {
    const path = this.pathOf(key);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  /** Makes sure that a power cut loses no file of the upload; their contents were flushed as they were closed. */
  async flush(key: string): Promise<void> {
    const inside = (await readdir(this.pathOf(key), { withFileTypes: true, recursive: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    for (const path of [...inside, this.pathOf(key), this.#path, dirname(this.#path)]) {
      const directory = await open(path);
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { recursive: true, force: true });
  }

  /** How long nothing was added to an upload. */
  ageMs(key: string): number {
    const changedAt = statSync(join(this.#path, key), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - changedAt;
  }
}
