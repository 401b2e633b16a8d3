import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { StoreEvent } from "#store/write/events.ts";
import { openSqliteStore } from "./store.ts";

test("a subscriber receives this process's token changes and erasures until it unsubscribes", async () => {
  const path = mkdtempSync(join(tmpdir(), "triptych-events-"));
  const store = openSqliteStore(path);
  const received: StoreEvent[] = [];
  const unsubscribe = store.events.subscribe((event) => received.push(event));
  const token = { keyId: "k", digest: "", label: "x", scopes: [], createdAt: 1, expiresAt: null, revokedAt: null };
  await store.tokens.writeToken({ ...token, limits: {}, replacedBy: null });
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  await store.writer.erase(PLATFORM, "post", "p1");
  unsubscribe();
  await store.writer.erase(PLATFORM, "post", "p2");
  assert.deepEqual(received, [
    { about: "token", keyId: "k" },
    { about: "erasure", platform: PLATFORM },
  ]);
  await store.close();
  rmSync(path, { recursive: true });
});
