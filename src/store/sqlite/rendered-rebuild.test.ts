import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Post } from "#domain/post.ts";
import { comment, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { type Projection, type ProjectionRegistry, type Rendered, RawJson } from "#domain/projection.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openSqliteStore, STORE_FILE } from "./store.ts";

function shapeOf(version: number, word: string): Projection<{ id: string }, object> {
  const draw = ({ id }: { id: string }) => ({ [word]: id });
  return { name: "only", version, project: draw, renderJson: (record) => JSON.stringify(draw(record)) };
}

function bookOf(shape: Projection<{ id: string }>): ProjectionRegistry {
  return { [PLATFORM]: { post: [shape], comment: [shape] } };
}

function shownRows(folder: string): string[] {
  const db = new DatabaseSync(join(folder, STORE_FILE), { readOnly: true });
  const rows = db.prepare("SELECT text FROM shown UNION ALL SELECT shown FROM comments").all() as { text: string }[];
  db.close();
  return rows.map(({ text }) => text);
}

function textOf(shown: Rendered<unknown> | null): string | undefined {
  return shown?.body instanceof RawJson ? shown.body.text : undefined;
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "triptych-shown-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("texts are made anew when a shape draws otherwise, and drawn where a program that knows none has written", () =>
  inFolder(async (folder) => {
    const first = shapeOf(1, "was");
    let store = openSqliteStore(folder, "full", () => NOW, bookOf(first));
    await store.writer.write(PLATFORM, { posts: [post("p1")], comments: [comment("c1", { postId: "p1" })] });
    await store.close();
    assert.deepEqual(shownRows(folder), ['{"was":"p1"}', '{"was":"c1"}']);

    const second = shapeOf(2, "is");
    store = openSqliteStore(folder, "full", () => NOW, bookOf(second));
    const shown = await store.reader(PLATFORM, "json").getRenderedPost("p1", second);
    assert.equal(textOf(shown), '{"is":"p1"}');
    await store.close();
    assert.deepEqual(shownRows(folder), ['{"is":"p1"}', '{"is":"c1"}']);

    const knowingNone = openSqliteStore(folder);
    assert.deepEqual(shownRows(folder), ['{"is":"p1"}', '{"is":"c1"}']);
    await knowingNone.writer.write(PLATFORM, { posts: [post("p1", { text: "other", capturedAt: NOW + 1 })] });
    assert.deepEqual(shownRows(folder), ['{"is":"c1"}']);
    store = openSqliteStore(folder, "full", () => NOW, bookOf(second));
    const reader = store.reader(PLATFORM, "json");
    assert.equal(textOf(await reader.getRenderedPost("p1", second)), '{"is":"p1"}');
    const page = await reader.listRenderedPosts("author", "1", { limit: 3 }, second);
    assert.deepEqual(page.items.map(textOf), ['{"is":"p1"}']);
    await store.close();
    await knowingNone.close();
  }));

test("a store from before texts were kept gets them when it is opened", () =>
  inFolder(async (folder) => {
    const old = new DatabaseSync(join(folder, STORE_FILE));
    for (const migration of MIGRATIONS.slice(0, 5)) old.exec(migration);
    old.exec(`PRAGMA application_id = 1416784240; PRAGMA user_version = 5`);
    const header = JSON.stringify({ ...post("p1"), id: undefined, native: undefined });
    old.prepare("INSERT INTO records VALUES (?, 'post', 'p1', ?, '{}', ?, 'test', 1)").run(PLATFORM, header, NOW);
    old.prepare("INSERT INTO post_lists VALUES (?, 'author', '1', 7, 'p1')").run(PLATFORM);
    old.close();
    const shape = shapeOf(1, "post") as Projection<Post, object>;
    const store = openSqliteStore(folder, "full", () => NOW, { [PLATFORM]: { post: [shape] } });
    const page = await store.reader(PLATFORM, "json").listRenderedPosts("author", "1", { limit: 5 }, shape);
    assert.deepEqual(
      page.items.map(({ body }) => (body as { text: string }).text),
      ['{"post":"p1"}'],
    );
    await store.close();
  }));
