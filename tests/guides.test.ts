/**
 * The guides: every command in them is run as it stands, by a shell, one after the other, on a store with the demo data.
 * `triptych` asks this process to run the command, as Node takes longer to start than most commands do; `doctor`
 * and the commands of operators run the real program.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { programEnvironment } from "#testing/program-environment.ts";
import { until } from "#testing/until.ts";
import { runCommand } from "./run-command.ts";
import { aPostObject, pushedLine, writeLines } from "./spawn-import.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN, type TestServer } from "./test-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const GUIDES = globSync("docs/guides/*.md", { cwd: ROOT }).toSorted();
const OPERATOR = "docs/guides/operator.md";

const execute = promisify(execFile);

function blocks(page: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, "gms");
  return [...readFileSync(join(ROOT, page), "utf8").matchAll(fence)].map(([, code = ""]) => code);
}

async function listen(service: Server): Promise<string> {
  await once(service.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

describe("guides", () => {
  const folder = temporaryFolder();
  let server: TestServer;
  let env: Record<string, string>;

  /** Runs the command whose words it gets: puts what it prints into files and responds with its exit code. */
  const commands = createServer(async (request, response) => {
    const { code, stdout, stderr } = await runCommand((await text(request)).split("\0").slice(0, -1), env);
    writeFileSync(join(folder.path, "stdout"), stdout);
    writeFileSync(join(folder.path, "stderr"), stderr);
    response.end(String(code));
  });

  before(async () => {
    server = await startTestServer("demo");
    mkdirSync(join(folder.path, "captures"));
    mkdirSync(join(folder.path, "bin"));
    writeLines(join(folder.path, "captures", "export.ndjson"), [pushedLine(aPostObject(1))]);
    symlinkSync(join(ROOT, "client"), join(folder.path, "client"));
    env = programEnvironment({
      PATH: `${join(folder.path, "bin")}:${dirname(process.execPath)}:${process.env["PATH"]}`,
      DATA_DIR: server.dataDir,
      TOKEN: TEST_TOKEN,
    });
    const program = `#!/bin/sh
      set -e
      if [ "$1" = doctor ]; then exec '${process.execPath}' '${join(ROOT, "bin/triptych.mjs")}' "$@"; fi
      printf '%s\\0' "$@" | curl --silent --fail --data-binary @- '${await listen(commands)}' > '${folder.path}/code'
      cat '${folder.path}/stdout'
      cat '${folder.path}/stderr' >&2
      exit "$(cat '${folder.path}/code')"\n`;
    writeFileSync(join(folder.path, "bin", "triptych"), program, { mode: 0o755 });
    // The operator's commands on the machine of the unit; sudo passes no settings on.
    const sudo = `#!/bin/sh\n[ "$1 $2" = "-u triptych" ] && shift 2 && exec env -i PATH="${folder.path}/installed:$PATH" "$@"\n`;
    writeFileSync(join(folder.path, "bin", "sudo"), sudo, { mode: 0o755 });
    const installed = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, "bin/triptych.mjs")}' "$@"\n`;
    mkdirSync(join(folder.path, "installed"));
    writeFileSync(join(folder.path, "installed", "triptych"), installed, { mode: 0o755 });
    mkdirSync(join(folder.path, "service"));
    symlinkSync(server.dataDir, join(folder.path, "service", "data"));
    process.chdir(folder.path);
  });
  after(async () => {
    process.chdir(ROOT);
    commands.close();
    await server.close();
    folder.remove();
  });

  for (const page of GUIDES.filter((guide) => guide !== OPERATOR)) {
    test(basename(page), async () => {
      const options = { cwd: folder.path, env };
      const here = (code: string) => code.replaceAll("http://127.0.0.1:8080", server.url);
      for (const code of blocks(page, "sh")) {
        const { stdout, stderr } = await execute("bash", ["-euo", "pipefail", "-c", here(code)], options);
        assert.notEqual(stdout + stderr, "", code);
      }
      for (const code of blocks(page, "ts")) {
        await execute(process.execPath, ["--input-type=module-typescript", "--eval", here(code)], options);
      }
      for (const code of blocks(page, "json")) JSON.parse(code);
    });
  }

  test("the operator's commands work on the store of the unit, and on no other", async () => {
    const [unit = ""] = blocks(OPERATOR, "ini");
    const [, home = ""] = /^Environment=.*?TRIPTYCH_HOME=(\S+)/m.exec(unit) ?? [];
    const [, user = ""] = /^User=(.+)$/m.exec(unit) ?? [];
    const codes = blocks(OPERATOR, "sh");
    assert.ok(codes.length >= 4);
    for (const code of codes) {
      assert.ok(code.startsWith(`sudo -u ${user} env TRIPTYCH_HOME=${home} triptych `), code);
      const command = code.replaceAll(home, join(folder.path, "service"));
      const { stdout, stderr } = await execute("bash", ["-euo", "pipefail", "-c", command], { env });
      assert.notEqual(stdout, "", code);
      assert.doesNotMatch(stderr, /created a new store/);
    }
    assert.equal(globSync("service/*.backup", { cwd: folder.path }).length, 1);
    assert.ok(!existsSync(join(folder.path, "data")));
  });

  test("the operator's unit backs the store up by itself", async () => {
    const [unit = ""] = blocks(OPERATOR, "ini");
    const [, dir = ""] = /^Environment=BACKUP_DIR=(\S+)$/m.exec(unit) ?? [];
    const [, writable = ""] = /^ReadWritePaths=(.+)$/m.exec(unit) ?? [];
    assert.ok(dir.startsWith(`${writable}/`));
    const backups = dir.replace("/srv/triptych", folder.path);
    const service = await startTestServer([], { DEMO: "off", BACKUP_DIR: backups });
    try {
      await until(async () => existsSync(backups) && globSync("triptych-*Z.backup", { cwd: backups }).length === 1);
    } finally {
      await service.close();
    }
  });

  test("there is a guide for each reader, and the README leads to all", () => {
    const names = ["agent", "analyst", "operator", "researcher", "web-developer"];
    assert.deepEqual(
      GUIDES,
      names.map((name) => `docs/guides/${name}.md`),
    );
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    for (const page of GUIDES) assert.ok(readme.includes(`(${page})`), page);
  });
});
