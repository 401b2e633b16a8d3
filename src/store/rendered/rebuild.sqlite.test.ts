import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Projection, type ProjectionRegistry, RawJson, type Rendered } from "#domain/projection.ts";
import { comment, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";

type Sample = Projection<{ id: string }, object>;

function createProjection(version: number, field: string): Sample {
  const project = ({ id }: { id: string }) => ({ [field]: id });
  return { name: "only", version, project, renderJson: (record) => JSON.stringify(project(record)) };
}

function registryOf(projection: Sample): ProjectionRegistry {
  return { [PLATFORM]: { post: [projection], comment: [projection] } };
}

function storedJson(folder: string): string[] {
  const db = new DatabaseSync(join(folder, STORE_FILE), { readOnly: true });
  const rows = db.prepare("SELECT json FROM rendered_records UNION ALL SELECT rendered FROM comments").all();
  db.close();
  return rows.map(({ json }) => String(json));
}

function jsonOf(rendered: Rendered<unknown> | null): string | undefined {
  return rendered?.body instanceof RawJson ? rendered.body.json : undefined;
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "triptych-rendered-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("records are rendered again when a projection changes, and on read after a write without projections", () =>
  inFolder(async (folder) => {
    const first = createProjection(1, "was");
    let store = openSqliteStore(folder, "full", () => NOW, registryOf(first));
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")], comments: [comment("c1", { postId: "p1" })] })]);
    await store.close();
    assert.deepEqual(storedJson(folder), ['{"was":"p1"}', '{"was":"c1"}']);

    const second = createProjection(2, "is");
    store = openSqliteStore(folder, "full", () => NOW, registryOf(second));
    const rendered = await store.reader(PLATFORM, "json").getRenderedPost("p1", second);
    assert.equal(jsonOf(rendered), '{"is":"p1"}');
    await store.close();
    assert.deepEqual(storedJson(folder), ['{"is":"p1"}', '{"is":"c1"}']);

    const withoutProjections = openSqliteStore(folder);
    assert.deepEqual(storedJson(folder), ['{"is":"p1"}', '{"is":"c1"}']);
    await withoutProjections.writer.write([
      toUnit(PLATFORM, { posts: [post("p1", { text: "other", capturedAt: NOW + 1 })] }),
    ]);
    assert.deepEqual(storedJson(folder), ['{"is":"c1"}']);
    store = openSqliteStore(folder, "full", () => NOW, registryOf(second));
    const reader = store.reader(PLATFORM, "json");
    assert.equal(jsonOf(await reader.getRenderedPost("p1", second)), '{"is":"p1"}');
    const page = await reader.listRenderedPosts("author", "1", { limit: 3 }, second);
    assert.deepEqual(page.items.map(jsonOf), ['{"is":"p1"}']);
    await store.close();
    await withoutProjections.close();
  }));

test("a store written without projections is rendered when it is opened with some", () =>
  inFolder(async (folder) => {
    const written = openSqliteStore(folder);
    await written.writer.write([
      toUnit(PLATFORM, { posts: [post("p1")], comments: [comment("c1", { postId: "p1" })] }),
    ]);
    await written.close();
    await openSqliteStore(folder, "full", () => NOW, registryOf(createProjection(1, "is"))).close();
    assert.deepEqual(storedJson(folder), ['{"is":"p1"}', '{"is":"c1"}']);
  }));
