/** A PostgreSQL whose disk is full or fails: reads go on, uploads are told, and acknowledged ones are imported later. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { push, readPost } from "./ingest-client.ts";
import { execute, type FreshDatabase, freshStoreDatabase } from "./postgres/databases.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { openTokenIssuer } from "./test-tokens.ts";

const logs = temporaryFolder();
const LOG_FILE = join(logs.path, "triptych.log");
let database: FreshDatabase;
let server: TestServer;
let token: string;

before(async () => {
  database = await freshStoreDatabase();
  server = await startTestServer([], { STORE_URL: database.url, LOG_FILE, LOG_LEVEL: "error" });
  const issuer = await openTokenIssuer(server);
  token = (await issuer.issue({ scopes: ["ingest"] })).token;
  await issuer.close();
  for (const [name, code] of [
    ["full", "53100"],
    ["broken", "58030"],
  ]) {
    await execute(
      database.url,
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$`,
    );
  }
});
after(async () => {
  await server.close();
  await database.drop();
  logs.remove();
});

/** The errors are those that the server itself raises; it cannot tell them from its own. */
async function withFault<Result>(
  fault: "full" | "broken",
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await execute(database.url, `CREATE TRIGGER fault BEFORE INSERT ON ${table} EXECUTE FUNCTION ${fault}()`);
  try {
    return await work();
  } finally {
    await execute(database.url, `DROP TRIGGER fault ON ${table}`);
  }
}

const hasPost = (number: number) => until(async () => (await readPost(server.url, number)) === 200);

test("uploads that cannot be accepted get a 507 or 503, and those that were are imported when there is room", async () => {
  await push(server.url, token, [1]);
  await hasPost(1);
  const refused = {
    full: await withFault("full", "jobs", () => push(server.url, token, [2])),
    broken: await withFault("broken", "jobs", () => push(server.url, token, [2])),
  };
  assert.deepEqual([refused.full.body.code, refused.broken.body.code], ["insufficient_storage", "service_unavailable"]);
  await withFault("full", "records", async () => {
    assert.equal((await push(server.url, token, [3])).status, 200);
    await until(async () => readFileSync(LOG_FILE, "utf8").includes("imports wait: the disk is full"));
    assert.deepEqual([await readPost(server.url, 1), await readPost(server.url, 3)], [200, 404]);
  });
  await hasPost(3);
  reportClaim("a full PostgreSQL stops no reads, and acknowledged uploads are imported by themselves", "0 lost");
});
