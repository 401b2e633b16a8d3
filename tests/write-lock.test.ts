/** Another program holds the write lock of the store's file: readers do not notice, and only writers wait. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { WRITE_LOCK_TIMEOUT_MS } from "#store/sqlite/database.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { reportClaim } from "#testing/claims.ts";
import { push } from "./ingest-client.ts";
import { startTestServer } from "./test-server.ts";
import { openTokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const READS = 100;

test("a held write lock delays the upload that needs it, and no read", async () => {
  const server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  const issuer = await openTokenIssuer(server);
  const { token } = await issuer.issue({ scopes: ["ingest"] });
  await issuer.close();
  const other = new DatabaseSync(join(server.dataDir, STORE_FILE));
  try {
    other.exec("BEGIN IMMEDIATE");
    let isAnswered = false;
    const pushing = push(server.url, token, [1]).finally(() => (isAnswered = true));
    let slowestMs = 0;
    for (let read = 0; read < READS; read++) {
      const began = performance.now();
      assert.equal((await server.get(PROFILE)).status, 200);
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
    assert.equal(isAnswered, false, "the upload did not wait for the lock");
    other.exec("COMMIT");
    assert.equal((await pushing).status, 200);
    // A read that waited would take all of SQLite's own wait; a busy machine may take some of this.
    assert.ok(slowestMs < WRITE_LOCK_TIMEOUT_MS / 2, `a read took ${Math.round(slowestMs)} ms`);
    reportClaim(
      "reads do not wait while another program holds the store's write lock",
      `${READS} reads, the slowest ${Math.round(slowestMs)} ms`,
    );
  } finally {
    other.close();
    await server.close();
  }
});
