import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { toUnit } from "#store/write/batch-changes.ts";
import { rowEncoder } from "#store/write/row-encoder.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { account, PLATFORM, post } from "#testing/sample-records.ts";
import { BatchBuilder } from "./batch-builder.ts";
import { SeenRecords } from "./dedupe.ts";
import { IdentityResolver } from "./resolve-identities.ts";

test("accounts that another import adds by name meanwhile are merged into their ids", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-identities-"));
  const store = openSqliteStore(folder);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const resolver = new IdentityResolver(store);
  const mergeBatchWith = async (name: string, id: string) => {
    const builder = new BatchBuilder(new SeenRecords(true), rowEncoder);
    builder.forPlatform(PLATFORM).idsByProvisionalId.set(`@${name}`, id);
    await resolver.mergePlaceholders(builder.batch, async () => undefined);
  };
  await mergeBatchWith("ada", "70001");
  await store.writer.write([
    toUnit(PLATFORM, {
      accounts: [account("@mira", { name: "mira" })],
      posts: [post("p1", { authorId: "@mira" })],
    }),
  ]);
  await mergeBatchWith("mira", "70002");
  const reader = store.reader(PLATFORM);
  assert.equal((await reader.getPost("p1"))?.authorId, "70002");
  assert.equal((await reader.getAccountByName("mira"))?.id, "70002");
  assert.equal(await reader.hasProvisionalAccounts(), false);
});
