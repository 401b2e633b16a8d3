import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { EXPORT_KINDS, type ExportRow } from "../kinds.ts";
import { sqlite } from "./sqlite.ts";

const SKIP = process.platform === "win32" ? "Windows does not remove a database that is open" : false;

test(
  "an export has no name on the disk while it is made, so that a kill leaves nothing behind",
  { skip: SKIP },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "triptych-format-"));
    const { TMPDIR } = process.env;
    t.after(() => {
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = TMPDIR;
      rmSync(folder, { recursive: true });
    });
    process.env["TMPDIR"] = folder;
    const named: string[] = [];
    async function* batches(): AsyncGenerator<ExportRow[]> {
      for (const id of ["1", "2"]) {
        yield [{ id }];
        named.push(...readdirSync(folder));
      }
    }
    const chunks: Uint8Array[] = [];
    const posts = EXPORT_KINDS.find(({ name }) => name === "posts");
    assert.ok(posts !== undefined && !sqlite.hasShapes);
    for await (const chunk of sqlite.encode(posts, batches(), { bom: false })) {
      chunks.push(Buffer.from(chunk));
      named.push(...readdirSync(folder));
    }
    assert.deepEqual(named, []);
    const file = join(folder, "posts.sqlite");
    writeFileSync(file, Buffer.concat(chunks));
    const db = new DatabaseSync(file);
    const ids = db.prepare("SELECT id FROM posts ORDER BY id").all();
    db.close();
    assert.deepEqual(
      ids.map(({ id }) => id),
      ["1", "2"],
    );
  },
);
