import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import type { FastifyRequest } from "fastify";
import { saveBody, saveForm } from "./save-upload.ts";

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "triptych-upload-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A form with these files, each with its name for content. */
function formOf(names: readonly string[]): FastifyRequest {
  const parts = names.map(
    (name) => `--x\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n${name}\r\n`,
  );
  const body = Readable.from([Buffer.from(`${parts.join("")}--x--\r\n`)]);
  return { headers: { "content-type": "multipart/form-data; boundary=x" }, body } as unknown as FastifyRequest;
}

test("what is uploaded is readable by its owner only", { skip: process.platform === "win32" }, async (t) => {
  const folder = createFolder(t);
  await saveBody({ body: Readable.from(["pushed"]) } as unknown as FastifyRequest, folder, "pushed", 100);
  await saveForm(formOf(["inside/a.json"]), folder, 1_000);
  const modes = ["pushed", "inside", "inside/a.json"].map((name) => statSync(join(folder, name)).mode & 0o777);
  assert.deepEqual(modes, [0o600, 0o700, 0o600]);
});

test("a file stands beside another that has the name of its folder, and a long name begins with a whole letter", async (t) => {
  const folder = createFolder(t);
  const long = `${"あ".repeat(100)}.jsonl`;
  const saved = await saveForm(formOf(["a", "a/b", long]), folder, 2_000);
  assert.equal(new Set(saved.map(({ digest }) => digest)).size, 3);
  assert.deepEqual(
    saved.map(({ name }) => name),
    ["a", "b", `${"あ".repeat(64)}.jsonl`],
  );
  assert.equal(readFileSync(join(folder, "b"), "utf8"), "a/b");
});
