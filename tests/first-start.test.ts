/** What a first start tells: progress while demo data is created, and examples that work on what is stored. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { test } from "node:test";
import { readConfig } from "#config";
import { demoWorld } from "#import/demo-world.ts";
import { claimDemoData, type DemoClaim, seedDemoData, writeDemoData } from "#import/demo-data.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { start, startService } from "#serve/start.ts";
import { openStore } from "#serve/open-store.ts";
import { post } from "#testing/sample-records.ts";
import { freePort } from "#testing/service-nodes.ts";
import { startupMessage } from "../src/cli/startup-message.ts";
import { bearerHeader } from "./test-tokens.ts";
import { temporaryFolder } from "./test-server.ts";
import { WORLD } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

function configFor(dataDir: string, more: Record<string, string> = {}) {
  return readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent", ...more });
}

test("after an import, the first start prints an example for each platform that has posts, and each works", async () => {
  const folder = temporaryFolder();
  const config = configFor(folder.path);
  try {
    const store = await openStore(config);
    for (const { platform, batch } of WORLD.slice(1)) await store.writer.write([toUnit(platform, batch)]);
    await store.close();
    const service = await start(config);
    try {
      const message = startupMessage(service.startup, config, OPERATIONS);
      assert.match(message, /The store has data that was imported before; no demo data was added\./);
      const lines = [...message.matchAll(/curl -H '([^:]+): ([^']+)' '([^']+)'/g)];
      assert.deepEqual(
        lines.map(([, , , url]) => new URL(url ?? "").searchParams.get("platform")),
        ["longvideo", "photoshare"],
      );
      for (const [, name = "", value = "", url = ""] of lines) {
        const response = await fetch(url, { headers: { [name]: value } });
        assert.equal(response.status, 200, await response.text());
      }
    } finally {
      await service.stop();
    }
    const second = await start(config);
    await second.stop();
    assert.deepEqual(second.startup.samplePosts, [], "examples are for a first start");
  } finally {
    folder.remove();
  }
});

for (const workers of ["1", "2"]) {
  test(`a start that cannot listen creates neither demo data nor a token: the next one does (WORKERS=${workers})`, async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const config = configFor(folder.path, { PORT: String(port), WORKERS: workers, DEMO: "off", SEARCH_THREADS: "0" });
    try {
      const other = createServer().listen({ host: config.host, port });
      await once(other, "listening");
      await assert.rejects(startService({ ...config, demo: true }), { code: "EADDRINUSE" });
      assert.deepEqual(readdirSync(folder.path), [], "its port is in the URLs of the demo data");
      other.close();
      await once(other, "close");
      const service = await startService(config);
      try {
        const token = service.startup.bootstrapToken ?? "";
        assert.notEqual(token, "");
        const message = startupMessage(service.startup, config, OPERATIONS);
        assert.ok(message.includes(token));
        assert.match(message, /these requests return 404\. Add it to an empty store with: npx triptych demo add$/m);
        const elsewhere = startupMessage(service.startup, config, OPERATIONS, "my data");
        assert.match(elsewhere, /npx triptych demo add --data-dir 'my data'$/m);
        const response = await fetch(`${service.startup.url}/admin/overview`, { headers: bearerHeader(token) });
        assert.equal(response.status, 200, await response.text());
      } finally {
        await service.stop();
      }
    } finally {
      folder.remove();
    }
  });
}

test("demo data is reported from its first moment, and its pictures are where the service listens", async () => {
  const folder = temporaryFolder();
  const config = configFor(folder.path, { PORT: "8123", HOST: "0.0.0.0" });
  assert.equal(config.publicUrl, "http://127.0.0.1:8123");
  assert.equal(configFor(folder.path, { PUBLIC_URL: "https://demo.example/" }).publicUrl, "https://demo.example");
  // Clients see it.
  assert.throws(() => configFor(folder.path, { PUBLIC_URL: "https://me:pass@demo.example" }), /no user and password/);
  assert.equal(configFor(folder.path).publicUrl, null);
  const store = await openStore(config);
  try {
    const [first, second] = demoWorld(Date.now(), config.publicUrl ?? undefined);
    const units = [first, second].flatMap((one) => (one === undefined ? [] : toUnit(one.platform, one.batch)));
    const progress: number[] = [];
    assert.equal(
      await seedDemoData(
        store,
        async () => units,
        (records) => progress.push(records),
      ),
      true,
    );
    const accounts = first?.batch.accounts ?? [];
    assert.deepEqual(progress.slice(0, 2), [0, accounts.length]);
    assert.ok((progress[2] ?? 0) > accounts.length);
    assert.match(JSON.stringify(accounts[0]?.native), /"http:\/\/127\.0\.0\.1:8123\/media\/avatar\//);
    // The import tells what it brought.
    const [file] = await store.jobs.listJobFiles("demo");
    assert.equal(file?.report.records.account?.new, accounts.length);
    assert.equal((await store.jobs.getJob("demo"))?.state, "done");
    assert.equal(await claimDemoData(store), "not empty");
  } finally {
    await store.close();
    folder.remove();
  }
});

test("one process at a time adds demo data, and one that was interrupted is resumed with the same data", async () => {
  const folder = temporaryFolder();
  const store = await openStore(configFor(folder.path));
  try {
    const { job, claim } = (await claimDemoData(store)) as DemoClaim;
    // As if a process of another machine had it.
    const owner = "north:1:aaaaaaaa";
    await store.jobs.releaseClaims(job.id, claim.owner);
    await store.jobs.claimFile({ ...claim, owner }, 60_000);
    assert.equal(await claimDemoData(store), "running");
    await store.writer.write([toUnit("longvideo", { posts: [post("demoVideo01", { source: "demo" })] })]);
    await store.jobs.releaseClaims(job.id, owner);
    const resumed = (await claimDemoData(store)) as DemoClaim;
    assert.equal(resumed.job.createdAt, job.createdAt);
    const load = async (now: number) => {
      assert.equal(now, job.createdAt);
      return [toUnit("longvideo", { posts: [post("demoVideo01"), post("demoVideo02")] })];
    };
    assert.equal(await writeDemoData(store, resumed, load), 2);
    const [{ state, position, report } = {}] = await store.jobs.listJobFiles(job.id);
    assert.deepEqual([state, position, report?.records.post?.new], ["done", 1, 1]);
  } finally {
    await store.close();
    folder.remove();
  }
});
