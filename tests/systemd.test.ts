/** The unit of docs/guides/operator.md: notifications to systemd by a service as it starts one, and what it may do. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { signal } from "#testing/processes.ts";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { childrenOf, spawnService } from "./spawn-workers.ts";
import { temporaryFolder } from "./test-server.ts";

const folder = temporaryFolder();
after(() => folder.remove());

/** A `systemd-notify` that writes down what it is told, and whether the service answers then. */
async function fakeSystemd(name: string) {
  const place = join(folder.path, name);
  mkdirSync(place, { mode: 0o700 });
  const told = join(place, "told");
  const PORT = String(await freePort());
  const script = `#!/bin/sh\necho "$@ $(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:${PORT}/readyz)" >> '${told}'\n`;
  writeFileSync(join(place, "systemd-notify"), script, { mode: 0o755 });
  const settings = { DATA_DIR: place, PORT, PATH: `${place}:${process.env["PATH"]}`, LOG_LEVEL: "error" };
  const linesTold = () => (existsSync(told) ? readFileSync(told, "utf8").trim().split("\n") : []);
  return { settings, linesTold };
}

const SYSTEMD = { NOTIFY_SOCKET: "/nowhere", WATCHDOG_USEC: "3000000" };

for (const WORKERS of ["1", "2"]) {
  test(`systemd hears that the service listens, and that its event loop turns, with WORKERS=${WORKERS}`, async () => {
    const { settings, linesTold } = await fakeSystemd(`workers-${WORKERS}`);
    const service = await spawnService({ ...settings, ...SYSTEMD, WORKERS }, []);
    try {
      await until(async () => linesTold().length >= 4);
      const [ready, ...reports] = linesTold();
      assert.equal(ready, "READY=1 200");
      for (const report of reports) assert.match(report, /^WATCHDOG=1 /);
      assert.equal(service.stderr(), "");
      if (WORKERS === "2") assert.ok(childrenOf(service.pid).length >= 2);
      // The workers alone report nothing: the primary is watched.
      process.kill(service.pid, "SIGSTOP");
      const told = await until(async () => {
        const before = linesTold().length;
        await new Promise((resolved) => setTimeout(resolved, 2_000));
        return linesTold().length === before && before;
      });
      process.kill(service.pid, "SIGCONT");
      await until(async () => linesTold().length > told);
    } finally {
      signal(service.pid, "SIGCONT");
      await service.stop();
    }
  });
}

test("a service that systemd did not start runs no systemd-notify; one that cannot run it says so, once", async () => {
  const { settings, linesTold } = await fakeSystemd("none");
  const { NOTIFY_SOCKET: _, ...withoutSocket } = SYSTEMD;
  const alone = await spawnService({ ...settings, ...withoutSocket }, []);
  const { settings: others } = await fakeSystemd("missing");
  const PATH = join(folder.path, "nothing");
  const service = await spawnService({ ...others, ...SYSTEMD, PATH }, []);
  try {
    await until(async () => service.stdout().includes("cannot run systemd-notify"));
    await new Promise((resolved) => setTimeout(resolved, 2_000));
    assert.equal(service.stdout().match(/cannot run systemd-notify READY=1/g)?.length, 1);
    assert.deepEqual(linesTold(), []);
  } finally {
    await service.stop();
    await alone.stop();
  }
});

test("the unit waits for the notification, restarts a service that hangs, and denies what the service does not need", () => {
  const guide = readFileSync(resolve(import.meta.dirname, "../docs/guides/operator.md"), "utf8");
  const [, unit = ""] = /```ini\n(.*?)```/s.exec(guide) ?? [];
  const lines = [...unit.matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const);
  const names = lines.map(([name]) => name).filter((name) => name !== "Environment");
  assert.deepEqual(names, [...new Set(names)]);
  const settings = new Map(lines);
  // A child of the main process sends the notifications.
  const watched = { Type: "notify", NotifyAccess: "all", WatchdogSec: "30", Restart: "on-failure" };
  for (const [name, value] of Object.entries(watched)) assert.equal(settings.get(name), value, name);
  // V8 writes machine code while it runs.
  assert.ok(!settings.has("MemoryDenyWriteExecute"));
  for (const name of ["NoNewPrivileges", "PrivateDevices", "ProtectKernelModules", "RestrictNamespaces"])
    assert.equal(settings.get(name), "true", name);
  assert.equal(settings.get("SystemCallFilter"), "@system-service");
  assert.equal(settings.get("CapabilityBoundingSet"), "");
});
