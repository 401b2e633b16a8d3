import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PLATFORM, post } from "#testing/sample-records.ts";
import type { StoreEvent } from "../store.ts";
import { openSqliteStore } from "./store.ts";

test("a process hears of its own tokens and erasures until it stops listening", async () => {
  const path = mkdtempSync(join(tmpdir(), "triptych-events-"));
  const store = openSqliteStore(path);
  const heard: StoreEvent[] = [];
  const end = store.events.subscribe((event) => heard.push(event));
  const token = { keyId: "k", digest: "", label: "x", scopes: [], createdAt: 1, expiresAt: null, revokedAt: null };
  await store.tokens.writeToken({ ...token, limits: {}, replacedBy: null });
  await store.writer.write(PLATFORM, { posts: [post("p1")] });
  await store.writer.erase(PLATFORM, "post", "p1");
  end();
  await store.writer.erase(PLATFORM, "post", "p2");
  assert.deepEqual(heard, [
    { about: "token", keyId: "k" },
    { about: "erasure", platform: PLATFORM, kind: "post", id: "p1" },
  ]);
  await store.close();
  rmSync(path, { recursive: true });
});
