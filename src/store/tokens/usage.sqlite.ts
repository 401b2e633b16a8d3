/**
 * The usage of tokens, in a file of its own: written every few seconds, it would empty the response cache and wait for imports
 * if it shared the store's. Opened on first use. A power cut may lose the last seconds.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { TOKEN_USAGE } from "./tables.ts";
import { createUsage } from "./usage.ts";
import type { Usage } from "./usage-port.ts";
import { createIfMissing, Database } from "#store/sqlite/database.ts";
import { createTable } from "#store/sqlite/schema.ts";
import { shareSql } from "#store/sqlite/shared-sql.ts";

export const USAGE_FILE = "usage.sqlite";

const SCHEMA = createTable(TOKEN_USAGE.sqlite, "TABLE IF NOT EXISTS");

export class UsageFile implements Usage {
  readonly #path: string;
  #open: { db: Database; usage: Usage } | null = null;

  constructor(dataDir: string) {
    this.#path = join(dataDir, USAGE_FILE);
  }

  async addUsage(...request: Parameters<Usage["addUsage"]>): Promise<void> {
    await this.#usage().addUsage(...request);
  }

  async listUsage(...request: Parameters<Usage["listUsage"]>): ReturnType<Usage["listUsage"]> {
    return this.#usage().listUsage(...request);
  }

  async deleteUsageBefore(day: string): Promise<void> {
    await this.#usage().deleteUsageBefore(day);
  }

  close(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  #usage(): Usage {
    if (this.#open === null) {
      createIfMissing(this.#path);
      const connection = new DatabaseSync(this.#path, { timeout: 1_000 });
      connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`);
      const db = new Database(connection);
      this.#open = { db, usage: createUsage(shareSql(db)) };
    }
    return this.#open.usage;
  }
}
