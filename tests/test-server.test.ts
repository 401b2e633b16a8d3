/** The service that tests talk to stands on the store that they were told to use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "./test-server.ts";

test("a test server opens the store that TEST_STORE names", async () => {
  const server = await startTestServer([]);
  try {
    const isOnPostgres = server.env["STORE_URL"]?.startsWith("postgres://") === true;
    assert.equal(isOnPostgres, process.env["TEST_STORE"] === "postgres");
    const store = await server.openStore();
    try {
      assert.equal("tables" in store, true);
    } finally {
      await store.close();
    }
  } finally {
    await server.close();
  }
});
