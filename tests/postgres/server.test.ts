import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { signal } from "#testing/processes.ts";

test("a server stops with the process that started it, even if that is killed", async () => {
  const program = `
    import { startServer } from ${JSON.stringify(new URL("server.ts", import.meta.url).href)};
    const { pid, folder } = await startServer();
    console.log(JSON.stringify({ pid, folder }));
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await Promise.race([once(child.stdout, "data"), once(child, "exit")])) as [Buffer | number | null];
  assert.ok(Buffer.isBuffer(line), `the program exited with ${String(line)} before its server was ready`);
  const { pid, folder } = JSON.parse(line.toString()) as { pid: number; folder: string };
  assert.ok(pid > 0 && signal(pid, 0) && existsSync(folder));
  child.kill("SIGKILL");
  while (signal(pid, 0) || existsSync(folder)) await pause(20);
});
