/** The parser thread renders the JSON of imported records: it must be the projection of the stored records. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { importFiles } from "#import/import-files.ts";
import { readFiles, type ReadFiles } from "#import/read-files.ts";
import { PLATFORM_RECORDS, PROJECTIONS } from "#platforms/records.ts";
import { parseRecordRow, type RecordRow } from "#store/write/record-row.ts";
import { renderedId } from "#store/rendered/sqlite.ts";
import { createRenderingEncoder } from "#store/write/row-encoder.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import { projectionsOf } from "#store/rendered/render.ts";
import { temporaryFolder } from "./test-server.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const ROOT = resolve(import.meta.dirname, "..");
const FIXTURES = globSync("src/platforms/*/importers/fixtures/*", { cwd: ROOT }).map((path) => join(ROOT, path));

type Row = RecordRow & {
  platform: string;
  kind: "post" | "account" | "comment";
  number: number;
  rendered: string | null;
};

test("the stored JSON of imported records is their projection", async () => {
  const folder = temporaryFolder();
  try {
    importAll(folder.path);
    // The second import merges many records into stored ones.
    await importAgain(folder.path);
    const db = new DatabaseSync(join(folder.path, STORE_FILE), { readOnly: true });
    const getRendered = db.prepare("SELECT json FROM rendered_records WHERE id = ?");
    let compared = 0;
    for (const row of db.prepare("SELECT *, NULL AS rendered FROM records").all() as unknown as Row[]) {
      projectionsOf(PROJECTIONS, row.platform, row.kind).forEach((projection, slot) => {
        const rendered = getRendered.get(renderedId(row.number, slot)) as { json: string } | undefined;
        assert.equal(
          rendered?.json,
          projection.renderJson(parseRecordRow<AnyRecord>(row)),
          `${row.platform} ${row.kind} ${row.id}`,
        );
        compared++;
      });
    }
    for (const row of db.prepare("SELECT *, 'comment' AS kind FROM comments").all() as unknown as Row[]) {
      const [projection] = projectionsOf(PROJECTIONS, row.platform, "comment");
      assert.equal(row.rendered, projection?.renderJson(parseRecordRow<AnyRecord>(row)) ?? null, `comment ${row.id}`);
      compared++;
    }
    db.close();
    assert.ok(compared > 100, `${compared} projections were compared`);
  } finally {
    folder.remove();
  }
});

/** As the threads of the program do it, in this one. */
async function importAgain(dataDir: string): Promise<void> {
  const store = openSqliteStore(dataDir, "small", Date.now, PROJECTIONS);
  const read: ReadFiles = (files) => readFiles(PLATFORM_RECORDS, createRenderingEncoder(PROJECTIONS), files);
  try {
    const { total } = await importFiles(
      { store, read, dataDir },
      { paths: FIXTURES, origin: "command", subject: "amara.petrovic" },
    );
    assert.ok((total.records.post?.unchanged ?? 0) > 0);
  } finally {
    await store.close();
  }
}

function importAll(dataDir: string): void {
  const program = join(ROOT, "src/cli/main.ts");
  try {
    execFileSync(process.execPath, [program, "import", ...FIXTURES, "--of", "amara.petrovic", "--json"], {
      env: programEnvironment({ DATA_DIR: dataDir }),
      stdio: "pipe",
    });
  } catch (error) {
    // Some fixtures hold lines that are to be refused, which the exit code says.
    assert.equal((error as { status: number }).status, 1);
  }
}
