/** A damaged page of the store's file: requests that need it fail and say so, all others are answered. */
import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { until } from "#testing/until.ts";
import { requestOperation } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { aPost, GOOD_REQUESTS, WORLD } from "./world.ts";

/** Overwrites the first page of a table, from which all its rows are found. */
function damageTable(file: string, table: string): void {
  const db = new DatabaseSync(file);
  const { page } = db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?").get(table) as {
    page: number;
  };
  const { page_size: size } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

/** Flips the lowest bit of the last letter of each copy of a text; returns the number of copies. */
function flipBit(file: string, text: string): number {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = readFileSync(file);
  const descriptor = openSync(file, "r+");
  let copies = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    const last = at + text.length - 1;
    writeSync(descriptor, Buffer.from([bytes.readUInt8(last) ^ 1]), 0, 1, last);
    copies += 1;
  }
  closeSync(descriptor);
  return copies;
}

test("a damaged page fails the requests that read it with a 500 and a line that says what to do, and stops nothing", async () => {
  const logs = temporaryFolder();
  const LOG_FILE = join(logs.path, "triptych.log");
  const server = await startTestServer(WORLD, { RATE_LIMIT: "off", LOG_LEVEL: "error", LOG_FILE, CACHE_MB: "0" });
  try {
    const file = join(server.dataDir, STORE_FILE);
    for (const table of ["search_index_data", "comments"]) damageTable(file, table);
    for (const operation of ["shortvideo/search/general", "shortvideo/post/comments"]) {
      for (let count = 0; count < 3; count++) {
        const response = await requestOperation(server.url, operation, GOOD_REQUESTS[operation] ?? {});
        assertProblem(response, "internal");
        assert.match(response.text, /the store is damaged; the log says what to do/);
      }
    }
    await until(async () => readFileSync(LOG_FILE, "utf8").includes("run `triptych doctor`, and restore a backup"));
    const operation = "shortvideo/user/info-with-region";
    assert.equal((await requestOperation(server.url, operation, GOOD_REQUESTS[operation] ?? {})).status, 200);
    assert.equal((await server.get("/readyz")).status, 200);
  } finally {
    await server.close();
    logs.remove();
  }
});

test("doctor finds a damaged page but, as docs/promises.md says, no bit that flipped inside a text", async () => {
  const post = aPost("flip", { text: "kiln opened" });
  const server = await startTestServer([{ platform: "longvideo", batch: { posts: [post] } }]);
  const file = join(server.dataDir, STORE_FILE);
  const stateOfStore = async () => {
    const { findings } = JSON.parse((await runCommand(["doctor", "--json"], server.env)).stdout) as {
      findings: { check: string; state: string }[];
    };
    return findings.find(({ check }) => check === "store")?.state;
  };
  try {
    assert.ok(flipBit(file, "kiln opened") > 0);
    assert.equal(await stateOfStore(), "ok");
    damageTable(file, "comments");
    assert.equal(await stateOfStore(), "fail");
  } finally {
    await server.close();
  }
});

test("an export that breaks off at a damaged record is in the log with status 500, not as given up by its client", async () => {
  const logs = temporaryFolder();
  const LOG_FILE = join(logs.path, "triptych.log");
  // Larger than what sockets buffer, so that the first part leaves before the last one is read.
  const posts = Array.from({ length: 700 }, (_, index) => aPost(`big-${index}`, { text: "x".repeat(20_000) }));
  const server = await startTestServer([{ platform: "longvideo", batch: { posts } }], { LOG_LEVEL: "info", LOG_FILE });
  const desk = await openTokenIssuer(server);
  try {
    const { token } = await desk.issue({ scopes: ["export", "read:longvideo"] });
    const db = new DatabaseSync(join(server.dataDir, STORE_FILE));
    db.exec("UPDATE records SET header = '{' WHERE id = 'big-99'");
    db.close();
    const headers = { ...bearerHeader(token), "x-request-id": "the-export" };
    const response = await fetch(`${server.url}/api/export/posts`, { headers });
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
    const { status } = await until(async () => {
      const lines = readFileSync(LOG_FILE, "utf8").split("\n");
      const line = lines.find((text) => text.includes('"the-export"') && text.includes('"status"'));
      return line === undefined ? null : (JSON.parse(line) as { status: number });
    });
    assert.equal(status, 500);
  } finally {
    await desk.close();
    await server.close();
    logs.remove();
  }
});
