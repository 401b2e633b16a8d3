import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { openSecrets } from "#testing/secrets.ts";
import { openPepper } from "./secrets.ts";

const NO_MODES = process.platform === "win32" && "files have no modes on this system";

function dataDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "triptych-secrets-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("the first start creates a pepper that only its owner can read, and leaves no other file", (t) => {
  const dataDir = dataDirectory(t);
  openSecrets(dataDir);
  assert.deepEqual(readdirSync(dataDir), ["pepper"]);
  assert.match(readFileSync(join(dataDir, "pepper"), "utf8"), /^[0-9a-f]{64}\n$/);
  if (NO_MODES === false) {
    assert.equal(statSync(join(dataDir, "pepper")).mode & 0o777, 0o600);
  }
});

test("later starts derive the same keys, and each purpose has its own", (t) => {
  const dataDir = dataDirectory(t);
  const first = openSecrets(dataDir);
  assert.deepEqual(openSecrets(dataDir), first);
  assert.equal(first.tokens.length, 32);
  assert.notDeepEqual(first.tokens, first.cursors);
  assert.notDeepEqual(openSecrets(dataDirectory(t)).tokens, first.tokens);
});

test("processes that start concurrently agree on one pepper", async (t) => {
  const dataDir = dataDirectory(t);
  // Each says that it is ready and waits for its input to end, so that all of them set off together.
  const program = `
    import { readFileSync } from "node:fs";
    const { loadOrCreatePepper } = await import(${JSON.stringify(new URL("./secrets.ts", import.meta.url).href)});
    process.stderr.write("ready");
    readFileSync(0);
    process.stdout.write(loadOrCreatePepper(${JSON.stringify(join(dataDir, "pepper"))}).tokens.toString("hex"));
  `;
  const runs = Array.from({ length: 8 }, () => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    return { child, ready: once(child.stderr, "data"), key: text(child.stdout) };
  });
  await Promise.all(runs.map(({ ready }) => ready));
  for (const { child } of runs) child.stdin.end();
  const keys = await Promise.all(runs.map(({ key }) => key));
  assert.match(keys[0] ?? "", /^[0-9a-f]{64}$/);
  assert.equal(new Set(keys).size, 1);
  assert.deepEqual(readdirSync(dataDir), ["pepper"]);
});

test("a pepper that others can read is refused with the command that fixes it", { skip: NO_MODES }, (t) => {
  const dataDir = dataDirectory(t);
  const { tokens } = openSecrets(dataDir);
  const path = join(dataDir, "pepper");
  for (const mode of [0o640, 0o604, 0o620, 0o666]) {
    chmodSync(path, mode);
    assert.throws(() => openSecrets(dataDir), { message: new RegExp(`chmod 600 '${path}'$`) });
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(path, mode);
    assert.deepEqual(openSecrets(dataDir).tokens, tokens);
  }
});

test("a pepper that is short, empty or not hexadecimal is refused and not changed", (t) => {
  const dataDir = dataDirectory(t);
  const path = join(dataDir, "pepper");
  const hex = randomBytes(32).toString("hex");
  for (const content of ["", "\n", hex.slice(2), hex.slice(1), `${hex.slice(0, 62)}zz`]) {
    writeFileSync(path, content, { mode: 0o600 });
    assert.throws(() => openSecrets(dataDir), /must contain at least 64 hexadecimal digits/);
    assert.equal(readFileSync(path, "utf8"), content);
  }
});

test("a pepper that an operator created may be longer and may end in any line break", (t) => {
  const dataDir = dataDirectory(t);
  const path = join(dataDir, "pepper");
  const hex = randomBytes(48).toString("hex");
  writeFileSync(path, hex, { mode: 0o600 });
  const { tokens } = openSecrets(dataDir);
  writeFileSync(path, `${hex.toUpperCase()}\r\n`, { mode: 0o600 });
  assert.deepEqual(openSecrets(dataDir).tokens, tokens);
});

test("a pepper that cannot be read or created is refused in one sentence", (t) => {
  const dataDir = dataDirectory(t);
  mkdirSync(join(dataDir, "pepper"));
  assert.throws(() => openSecrets(dataDir), /cannot read the pepper file .* \(not a file\)/);

  const file = join(dataDir, "file");
  writeFileSync(file, "");
  const verb = NO_MODES === false ? "read" : "create";
  assert.throws(() => openSecrets(file), new RegExp(`cannot ${verb} the pepper file .* \\(\\w+\\)`));
  assert.throws(() => openSecrets(join(dataDir, "not", "there")), /cannot create the pepper file .* \(ENOENT\)/);
});

test("a store that has tokens or an audit log gets no new pepper", async (t) => {
  const path = join(dataDirectory(t), "pepper");
  const open = (tokens: object[], head: object | null) =>
    openPepper(
      {
        tokens: { listTokens: async () => tokens },
        audit: { getHead: async () => head },
        getOrSet: async (_name: string, value: string) => value,
      } as unknown as Parameters<typeof openPepper>[0],
      path,
    );
  await assert.rejects(open([{}], null), /is missing, but the tokens and the audit log of this store need it/);
  await assert.rejects(open([], {}), /is missing/);
  assert.equal(existsSync(path), false);
  await open([], null);
  await open([{}], {});
});
