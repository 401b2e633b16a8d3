/**
 * Runs the test files that it is given one after the other in this process. Each is a test around its own: so its hooks
 * are not those of the others, it is loaded when its turn comes, and it is named in the titles of its tests.
 */
import { flushCompileCache } from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolderOf, writeJobEvent } from "#testing/job-events.ts";

const temporary = process.env["TMPDIR"] ?? "";
for (const [at, file] of process.argv.slice(2).entries()) {
  process.env["TMPDIR"] = temporaryFolderOf(temporary, at);
  // A file that waits for what does not keep a process would end it, and with it the files to come.
  const keep = setInterval(() => undefined, 60_000);
  await test(file, async () => void (await import(pathToFileURL(resolve(file)).href)));
  clearInterval(keep);
  // For the other processes of the run: Node does it when a process ends.
  flushCompileCache();
  // Pipes are those of this process's output, which the first file that prints opens.
  const resources = process.getActiveResourcesInfo().filter((kind) => kind !== "PipeWrap");
  writeJobEvent({ type: "open", file, resources });
}
