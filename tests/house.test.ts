/** The service that tests talk to stands on the store that they were told to use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestHouse } from "./house.ts";

test("a test house opens the store that TEST_STORE names", async () => {
  const house = await openTestHouse([]);
  try {
    const isOnPostgres = house.env["STORE_URL"]?.startsWith("postgres://") === true;
    assert.equal(isOnPostgres, process.env["TEST_STORE"] === "postgres");
    const store = await house.openStore();
    try {
      assert.equal("copying" in store, true);
    } finally {
      await store.close();
    }
  } finally {
    await house.close();
  }
});
