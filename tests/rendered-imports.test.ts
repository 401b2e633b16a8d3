/** What an import keeps written out is drawn where files are read: it must be what the shapes draw of what is held. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { PROJECTIONS } from "#platforms/registry.ts";
import { recordOf, type RecordRow } from "#store/record-row.ts";
import { renderedId } from "#store/sqlite/rendered-rows.ts";
import { STORE_FILE } from "#store/sqlite/store.ts";
import type { AnyRecord } from "#store/store.ts";
import { projectionsOf } from "#store/render.ts";
import { temporaryFolder } from "./test-server.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const ROOT = resolve(import.meta.dirname, "..");
const FIXTURES = globSync("src/platforms/*/importers/fixtures/*", { cwd: ROOT }).map((path) => join(ROOT, path));

type Row = RecordRow & { platform: string; kind: "post" | "account" | "comment"; number: number; shown: string | null };

test("the texts of imported records are those that their shapes draw", () => {
  const folder = temporaryFolder();
  try {
    // Twice: the second time many records are merged with those that are held.
    for (let time = 0; time < 2; time++) importAll(folder.path);
    const db = new DatabaseSync(join(folder.path, STORE_FILE), { readOnly: true });
    const text = db.prepare("SELECT text FROM shown WHERE id = ?");
    let compared = 0;
    for (const row of db.prepare("SELECT *, NULL AS shown FROM records").all() as unknown as Row[]) {
      projectionsOf(PROJECTIONS, row.platform, row.kind).forEach((shape, slot) => {
        const kept = text.get(renderedId(row.number, slot)) as { text: string } | undefined;
        assert.equal(kept?.text, shape.renderJson(recordOf<AnyRecord>(row)), `${row.platform} ${row.kind} ${row.id}`);
        compared++;
      });
    }
    for (const row of db.prepare("SELECT *, 'comment' AS kind FROM comments").all() as unknown as Row[]) {
      const [shape] = projectionsOf(PROJECTIONS, row.platform, "comment");
      assert.equal(row.shown, shape?.renderJson(recordOf<AnyRecord>(row)) ?? null, `comment ${row.id}`);
      compared++;
    }
    db.close();
    assert.ok(compared > 100, `${compared} texts were compared`);
  } finally {
    folder.remove();
  }
});

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
