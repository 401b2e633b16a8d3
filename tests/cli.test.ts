/**
 * The command line on an empty directory. Starts, stops, starts that fail early and late, and what a pipe gets run the
 * real program in a process of its own; other commands run in this process.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { until } from "#testing/until.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";

const BIN = join(import.meta.dirname, "..", "bin", "triptych.mjs");
const HOME = mkdtempSync(join(tmpdir(), "triptych-cli-"));
const DATA_DIR = join(HOME, "data");

interface SpawnedService {
  process: ChildProcess;
  /** What it printed once it listened. */
  message: string;
  url: string;
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return programEnvironment({ DATA_DIR, PORT: "0", LOG_LEVEL: "silent", ...more });
}

/** Runs a command in this process. */
function triptych(args: string[], env: Record<string, string> = {}): Promise<CommandOutcome> {
  return runCommand(args, environment(env));
}

/** Runs the program in a process of its own. */
function program(args: string[], env: Record<string, string> = {}, nodeArgs: string[] = []): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const options = { env: environment(env) };
    execFile(process.execPath, [...nodeArgs, BIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

async function serve(args: string[] = [], env: Record<string, string> = {}): Promise<SpawnedService> {
  const child = spawn(process.execPath, [BIN, "serve", ...args], { env: environment(env) });
  let message = "";
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    message += String(chunk);
    if (/Stop: Ctrl-C|^\{.*\}$/m.test(message)) break;
  }
  child.stdout.resume();
  const url = /http:\/\/[\w.:[\]]+/.exec(message)?.[0];
  assert.ok(url, `the service did not start: ${stderr}`);
  return { process: child, message, url };
}

async function stop({ process: child }: SpawnedService, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
  const exited = once(child, "exit");
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

function assertOneSentence({ code, stdout, stderr }: CommandOutcome, sentence: RegExp, expectedCode = 1): void {
  assert.equal(code, expectedCode, stderr);
  assert.match(stderr, /^triptych: [^\n]+\n$/);
  assert.match(stderr, sentence);
  assert.doesNotMatch(stdout + stderr, /^\s*at /m);
}

/** Splits a line into words as a shell does, with single and double quotes. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** Does what curl does with the options of the startup message. */
function runCurl(line: string): Promise<Response> {
  const [name, ...words] = shellWords(line.trim());
  assert.equal(name, "curl");
  const headers = new Headers();
  const form = new URLSearchParams();
  let address = "";
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const value = word.startsWith("-") ? (words.shift() ?? "") : "";
    const at = value.search(/[:=]/);
    if (word === "-H") headers.set(value.slice(0, at), value.slice(at + 1).trim());
    else if (word === "--data-urlencode") form.set(value.slice(0, at), value.slice(at + 1));
    else address = word;
  }
  return fetch(address, form.size > 0 ? { method: "POST", headers, body: form } : { headers });
}

let first: SpawnedService;

before(async () => {
  first = await serve();
});

after(async () => {
  if (first.process.exitCode === null) await stop(first);
  rmSync(HOME, { recursive: true, force: true });
});

test("the first start prints the URL, a token, the docs and an example per platform that works when pasted", async () => {
  const { message, url } = first;
  const [token] = /tt_\w{48}/.exec(message) ?? [];
  assert.ok(token);
  assert.match(message, /shown only once/);
  assert.ok(message.includes(`${url}/docs`));
  const lines = message.split("\n").filter((line) => line.trim().startsWith("curl "));
  assert.deepEqual(
    lines.map((line) => /\/api\/(\w+)\//.exec(line)?.[1]),
    PLATFORMS.map(({ name }) => name),
  );
  assert.ok(lines.some((line) => line.includes("--data-urlencode")));
  for (const line of lines) {
    assert.ok(line.includes(`Bearer ${token}`));
    const response = await runCurl(line);
    assert.equal(response.status, 200, await response.text());
  }
});

test("a later start creates no token and no demo data; SIGINT stops it with exit code 0", async () => {
  const second = await serve(["--json"]);
  assert.deepEqual(JSON.parse(second.message), { address: second.url, token: null, demoFilled: false });
  assert.equal(await stop(second, "SIGINT"), 0);
});

test("the token of API_TOKEN is accepted and never printed; SIGTERM finishes the request in progress and accepts no new ones", async () => {
  const API_TOKEN = "a-token-of-the-operator-0001";
  const served = await serve([], { API_TOKEN });
  assert.match(served.message, /API_TOKEN/);
  assert.ok(!served.message.includes(API_TOKEN));
  assert.equal(await statusWith(served.url, API_TOKEN), 200);
  const body = "username_or_url=luna.marchetti";
  const posting = request(`${served.url}/api/photoshare/get-profile-v2`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${API_TOKEN}`,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  const responded = once(posting, "response");
  posting.flushHeaders();
  await once(posting, "continue");
  const exited = once(served.process, "exit");
  served.process.kill("SIGTERM");
  await until(async () => (await fetch(`${served.url}/healthz`).catch(() => null)) === null);
  posting.end(body);
  const [response] = (await responded) as [{ statusCode: number; resume(): void }];
  response.resume();
  assert.equal(response.statusCode, 200);
  assert.deepEqual(await exited, [0, null]);
});

test("a port in use is one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  assertOneSentence(await program(["serve", "--port", String(port)]), /in use by another program.*--port/);
  const doctor = await triptych(["doctor", "--json"], { DATA_DIR: join(HOME, "no-data"), PORT: String(port) });
  assert.equal(doctor.code, 1);
  assert.equal(stateOf(doctor, "port"), "fail");
  other.close();
});

test("a damaged store, a newer store and a file as data directory are one sentence each", async () => {
  const damaged = join(HOME, "damaged");
  mkdirSync(damaged);
  writeFileSync(join(damaged, STORE_FILE), Buffer.alloc(8_192, "no store at all "));
  assertOneSentence(await program(["serve"], { DATA_DIR: damaged }), /damaged or not a store/);

  const newer = join(HOME, "newer");
  assert.equal((await triptych(["token", "create", "--label", "early"], { DATA_DIR: newer })).code, 0);
  const db = new DatabaseSync(join(newer, STORE_FILE));
  db.exec("PRAGMA user_version = 999");
  db.close();
  assertOneSentence(await triptych(["serve"], { DATA_DIR: newer }), /newer Triptych/);
  const doctor = await triptych(["doctor", "--json"], { DATA_DIR: newer });
  assert.equal(doctor.code, 1);
  assert.equal(stateOf(doctor, "store"), "fail");

  const file = join(HOME, "a-file");
  writeFileSync(file, "");
  for (const dataDir of [file, join(file, "below")]) {
    assertOneSentence(await triptych(["serve"], { DATA_DIR: dataDir }), /cannot create data directory .* set DATA_DIR/);
  }
});

test("invalid settings and secrets are one sentence, and an unusable log file is reported before the start", async () => {
  assertOneSentence(await triptych(["serve"], { PORT: "many" }), /PORT must be a whole number/);
  assertOneSentence(await triptych(["serve", "--port", "many"]), /--port must be a whole number/, 2);
  assertOneSentence(await triptych(["serve"], { LOG_FILE: HOME }), /LOG_FILE: .* directory/);
  const careless = join(HOME, "careless");
  mkdirSync(careless);
  writeFileSync(join(careless, "pepper"), "too short", { mode: 0o600 });
  assertOneSentence(await triptych(["serve"], { DATA_DIR: careless }), /pepper file .* hexadecimal/);
});

test("tokens are created, listed, rotated and revoked, and a running service follows within a second", async () => {
  const created = await triptych([
    "token",
    "create",
    "--label",
    "notebook",
    "--scopes",
    "read:longvideo",
    "--expires",
    "7",
    "--burst",
    "500",
  ]);
  assert.equal(created.code, 0);
  const token = created.stdout.trim();
  assert.match(token, /^tt_\w{48}$/);
  const keyId = token.slice(3, 13);
  assert.equal(await statusWith(first.url, token), 200);
  assert.equal(await statusWith(first.url, token, "/api/photoshare/get-profile?username_or_url=luna.marchetti"), 403);

  const rotated = await triptych(["token", "rotate", keyId, "--overlap", "3600", "--json"]);
  const successor = JSON.parse(rotated.stdout) as { token: string; keyId: string; scopes: string[]; limits: object };
  assert.deepEqual([successor.scopes, successor.limits], [["read:longvideo"], { burst: 500 }]);
  assert.equal(await statusWith(first.url, token), 200);
  assert.equal(await statusWith(first.url, successor.token), 200);
  assertOneSentence(await triptych(["token", "rotate", keyId]), /already rotated/);

  assert.equal((await triptych(["token", "revoke", successor.keyId])).code, 0);
  // A request that is sent a second later is rejected, however long its response takes on a busy machine.
  const revokedAt = performance.now();
  await until(async () => {
    const sentAt = performance.now();
    if ((await statusWith(first.url, successor.token)) === 401) return true;
    assert.ok(sentAt < revokedAt + 1_000, "a revoked token was accepted more than a second later");
    return false;
  });

  const listed = JSON.parse((await triptych(["token", "list", "--json"])).stdout) as {
    keyId: string;
    state: string;
    digest?: string;
  }[];
  const states = Object.fromEntries(listed.map((row) => [row.keyId, row.state]));
  assert.deepEqual([states[keyId], states[successor.keyId]], ["replaced", "revoked"]);
  assert.ok(listed.every((row) => !("digest" in row)));
  const table = (await triptych(["token", "list"])).stdout;
  assert.match(table, /^KEY ID +LABEL +SCOPES +CREATED +EXPIRES +STATE\n/);
  assert.match(table, new RegExp(`^${keyId} +notebook +read:longvideo .* replaced$`, "m"));
});

test("invalid options of a token command are usage errors; an unknown key id is a failure", async () => {
  const create = (...more: string[]) => triptych(["token", "create", "--label", "x", ...more]);
  assertOneSentence(await create("--scopes", "read:everything"), /unknown scope/, 2);
  assertOneSentence(await create("--expires", "soon"), /--expires must be a whole number or never/, 2);
  assertOneSentence(await create("--daily", "0"), /daily limit must be/, 2);
  assertOneSentence(await triptych(["token", "create"]), /--label/, 2);
  for (const change of ["revoke", "rotate"])
    assertOneSentence(await triptych(["token", change, "nobody"]), /token nobody not found; .*token list.* key ids/);
});

test("get reads the store itself", async () => {
  const pretty = await triptych(["get", "longvideo/video/details", "video_id=demoVideo01"]);
  assert.equal(pretty.code, 0, pretty.stderr);
  assert.match(pretty.stdout, /^\{\n {2}"video_id": "demoVideo01"/);
  const compact = await triptych([
    "get",
    "longvideo/video/details",
    "video_id=demoVideo01",
    "fields=video_id",
    "--compact",
  ]);
  assert.equal(compact.stdout, '{"video_id":"demoVideo01"}\n');
  const list = await triptych(["get", "--list"]);
  assert.match(list.stdout, /^longvideo\/video\/details +\S/m);
});

const LONG_OUTPUT = ["get", "photoshare/get-user-tagged-posts", "username_or_url=luna.marchetti", "amount=50"];

test("a slow reader of a pipe gets the whole output", async () => {
  const { stdout: expected } = await triptych(LONG_OUTPUT);
  // More than a pipe holds.
  assert.ok(expected.length > 65_536, `${expected.length} characters`);
  const child = spawn("sh", ["-c", '"$0" "$@" | (sleep 1; cat)', process.execPath, BIN, ...LONG_OUTPUT], {
    env: environment(),
  });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "close") as Promise<[number]>]);
  assert.equal(code, 0);
  assert.equal(stdout.length, expected.length);
});

test("a reader that closes the pipe early ends the program quietly", async () => {
  const command = '{ "$0" "$@"; echo "exit code $?" >&2; } | head -c 100';
  const child = spawn("sh", ["-c", command, process.execPath, BIN, ...LONG_OUTPUT], { env: environment() });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(stdout.length, 100);
  assert.equal(stderr, "exit code 0\n");
});

test("an export whose reader closes the pipe fails, says so, and is in the audit log", async () => {
  const command = '{ "$0" "$@"; echo "exit code $?" >&2; } | head -c 100';
  const args = [BIN, "export", "comments"];
  const child = spawn("sh", ["-c", command, process.execPath, ...args], { env: environment() });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(stdout.length, 100);
  assert.equal(stderr, "triptych: the reader closed the pipe; the export is not complete\nexit code 1\n");
  const [entry] = JSON.parse((await triptych(["audit", "--limit", "1", "--json"])).stdout) as { action: string }[];
  assert.equal(entry?.action, "export");
});

test("output that cannot be written is reported in one sentence", { skip: !existsSync("/dev/full") }, async () => {
  for (const args of [LONG_OUTPUT, ["export", "comments"]]) {
    const command = '"$0" "$@" > /dev/full; echo "exit code $?" >&2';
    const child = spawn("sh", ["-c", command, process.execPath, BIN, ...args], { env: environment() });
    assert.match(await text(child.stderr), /^triptych: the disk is full; .+\nexit code 1\n$/);
  }
});

test("get exits with 1 for errors of the API and with 2 for usage errors", async () => {
  const missing = ["get", "shortvideo/post/detail", "videoId=1"];
  assertOneSentence(await triptych(missing), /post_not_found/);
  const problem = await triptych([...missing, "--json"]);
  assert.equal(problem.code, 1);
  assert.equal((JSON.parse(problem.stderr) as { statusCode: number }).statusCode, 10204);
  assertOneSentence(await triptych([...missing, "videoId=2"]), /repeated_parameter/);
  assertOneSentence(await triptych(["get", "shortvideo/post/detail", "videoId"]), /key=value/, 2);
  assertOneSentence(
    await triptych(["get", "longvideo/trending", "contry=FR"]),
    /longvideo\/trending has no parameter contry; did you mean country\?/,
    2,
  );
  assertOneSentence(await triptych(["get", "shortvideo/post/detial"]), /did you mean shortvideo\/post\/detail/, 2);
  assertOneSentence(await triptych(["get"]), /operation missing/, 2);
  const nowhere = join(HOME, "nowhere");
  assertOneSentence(await triptych(missing, { DATA_DIR: nowhere }), /no store in/);
  assert.ok(!existsSync(nowhere));
});

test("migrate creates the tables and nothing else", async () => {
  const data = join(HOME, "migrated");
  const { code, stdout } = await runCommand(["migrate"], { DATA_DIR: data });
  assert.deepEqual([code, stdout], [0, `The store in ${data} has the tables of this version.\n`]);
  assert.deepEqual(readdirSync(data), ["triptych.sqlite"]);
  assert.equal((await runCommand(["migrate", "--json"], { DATA_DIR: data })).code, 0);
});

test("a command that creates a store says where, so that a wrong directory is noticed", async () => {
  const capture = join(HOME, "capture.ndjson");
  writeFileSync(capture, '{"weather": "fog"}\n');
  for (const [name, ...args] of [
    ["migrate"],
    ["retention", "set", "30"],
    ["token", "create", "--label", "first"],
    ["import", capture],
  ]) {
    const data = join(HOME, `created-by-${name}`);
    const run = (...more: string[]) => triptych([name ?? "", ...args, ...more], { DATA_DIR: data });
    assert.ok((await run()).stderr.startsWith(`created a new store in ${data}\n`), name);
    assert.doesNotMatch((await run()).stderr, /created a new store/);
    rmSync(data, { recursive: true });
    assert.doesNotMatch((await run("--quiet")).stderr, /created a new store/);
  }
});

test("demo add fills an empty store, and needs no note that it created one", async () => {
  const added = await triptych(["demo", "add"], { DATA_DIR: join(HOME, "created-by-demo") });
  assert.equal(added.code, 0, added.stderr);
  assert.doesNotMatch(added.stderr, /created/);
  assert.match(added.stdout, /^Added the demo data: [1-9]\d{3,} records\./);
});

test("doctor reports no failure for a healthy, running service", async () => {
  const { port } = new URL(first.url);
  const doctor = await triptych(["doctor", "--json"], { PORT: port });
  assert.equal(doctor.code, 0, doctor.stdout);
  const { ok, findings } = JSON.parse(doctor.stdout) as DoctorReport;
  assert.ok(ok);
  assert.deepEqual(
    findings.filter(({ state }) => state === "fail"),
    [],
  );
  for (const check of ["Node", "PORT", "data directory", "store", "photoshare records", "tokens", "port"]) {
    assert.equal(stateOf(doctor, check), "ok", check);
  }
});

test("no command creates a pepper for a store that has tokens, and each says what to do", async () => {
  const env = { DATA_DIR: join(HOME, "lost-pepper"), PORT: "0", DEMO: "off" };
  const pepper = join(env.DATA_DIR, "pepper");
  await runCommand(["token", "create", "--label", "kept"], env);
  const kept = readFileSync(pepper);
  rmSync(pepper);
  const sentence = /the pepper file \S+ is missing, .*; put it back .* \(if it is lost: docs\/backup\.md\)$/m;
  for (const args of [["serve"], ["token", "list"], ["token", "create", "--label", "new"], ["jobs"], ["audit"]]) {
    assertOneSentence(await runCommand(args, env), sentence);
  }
  assert.match((await runCommand(["doctor"], env)).stdout, sentence);
  assert.equal(existsSync(pepper), false);
  writeFileSync(pepper, kept, { mode: 0o600 });
  assert.match((await runCommand(["token", "list"], env)).stdout, /kept/);
});

test("no command creates a store where its pepper cannot be created", async () => {
  const env = {
    DATA_DIR: join(HOME, "no-pepper"),
    PEPPER_FILE: join(HOME, "no-folder", "pepper"),
    PORT: "0",
    DEMO: "off",
  };
  const sentence = /cannot create the pepper file \S+ \(ENOENT\); create it with: .*$/m;
  for (const args of [["serve"], ["token", "create", "--label", "new"]]) {
    assertOneSentence(await runCommand(args, env), sentence);
  }
  assert.deepEqual(readdirSync(env.DATA_DIR), []);
});

test("doctor finds no fault with a store that has only been imported into", async () => {
  const env = { DATA_DIR: join(HOME, "only-imported"), PORT: "0", DEMO: "off" };
  await runCommand(["import", "src/platforms/photoshare/importers/fixtures/takeout/followers_1.json"], env);
  assert.equal(stateOf(await runCommand(["doctor", "--json"], env), "store"), "ok");
});

test("a later start says how to create a token; it and doctor notice that the pepper is not the one of the tokens", async () => {
  const env = { DATA_DIR: join(HOME, "other-pepper"), PORT: "0", DEMO: "off", LOG_FILE: join(HOME, "warnings.log") };
  await runCommand(["token", "create", "--label", "lost"], env);
  writeFileSync(join(env.DATA_DIR, "pepper"), "5e".repeat(32));
  const served = await serve([], { ...env, LOG_LEVEL: "warn" });
  assert.doesNotMatch(served.message, /tt_/);
  assert.match(served.message, /token create/);
  await stop(served);
  assert.match(readFileSync(env.LOG_FILE, "utf8"), /"the pepper file is not the one of this store: tokens/);
  const { stdout } = await runCommand(["doctor"], env);
  assert.match(
    stdout,
    /^warn +audit log +entry 1 was changed .*; if the pepper file was replaced, put the old one back/m,
  );
});

test("doctor refuses the live sources that a start would refuse", async () => {
  const findingFor = async (env: Record<string, string>) => {
    const { code, stdout } = await runCommand(["doctor", "--json"], {
      DATA_DIR: join(HOME, "no-data"),
      PORT: "0",
      ...env,
    });
    const finding = (JSON.parse(stdout) as DoctorReport).findings.find(({ check }) => check === "live sources");
    return [code, finding?.detail.split(";")[0]];
  };
  assert.deepEqual(await findingFor({}), [0, "none is on"]);
  assert.deepEqual(await findingFor({ LIVE_SOURCES: "youtube-feed" }), [0, "youtube-feed"]);
  assert.deepEqual(await findingFor({ LIVE_SOURCES: "youtube" }), [1, "LIVE_SOURCES: there is no source youtube"]);
  assert.deepEqual(await findingFor({ LIVE_SOURCES: "youtube-data-api" }), [
    1,
    "LIVE_SOURCES: youtube-data-api needs YOUTUBE_API_KEY",
  ]);
  assert.deepEqual(await findingFor({ LIVE_QUOTAS: "youtube.units=1" }), [
    1,
    "LIVE_QUOTAS: there is no budget youtube.units",
  ]);
});

test("doctor names an invalid setting, hides tokens, and creates nothing", async () => {
  const nowhere = join(HOME, "nowhere");
  const doctor = await triptych(["doctor"], {
    DATA_DIR: nowhere,
    TIMEZONE: "Middle/Earth",
    API_TOKEN: "a-token-of-the-operator-0002",
  });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^fail +TIMEZONE +must be an IANA time zone/m);
  assert.match(doctor.stdout, /^warn +data directory /m);
  assert.match(doctor.stdout, /^ok +other settings +\d\d at their defaults; --verbose lists them$/m);
  assert.doesNotMatch(doctor.stdout, /\(default\)|a-token-of-the-operator/);
  const verbose = await triptych(["doctor", "--verbose"], { DATA_DIR: nowhere });
  assert.match(verbose.stdout, /^ok +CACHE_MB +128 \(default\)$/m);
  assert.ok(!existsSync(nowhere));
});

test("every command has help with examples, and a misspelt command gets a suggestion", async () => {
  const commands = "; serve; token; token create; token list; token revoke; token rotate; get; doctor".split(";");
  const helps = commands.map((command) => triptych([...command.split(" ").filter((word) => word !== ""), "--help"]));
  for (const { code, stdout } of await Promise.all(helps)) {
    assert.equal(code, 0);
    assert.match(stdout, /Examples?:/);
  }
  assert.match((await triptych(["serve", "--help"])).stdout, /RATE_BURST .*\[2000\]/);
  assert.match((await triptych(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  assertOneSentence(await program(["serv"]), /unknown command 'serv' \(Did you mean serve\?\)/, 2);
});

test("an older Node hands over to the bundled one, or says what is required", async () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } });';
  const handedOver = await program(["--version"], {}, preload(older));
  if (installedNode()) assert.match(handedOver.stdout, /^\d+\.\d+\.\d+\n$/);
  else assertOneSentence(handedOver, /Node 24 or newer is required/);
  const otherArch = `${older} Object.defineProperty(process, "arch", { value: "abacus" });`;
  assertOneSentence(
    await program(["--version"], {}, preload(otherArch)),
    /Node 24 or newer is required \(found 20\.9\.0\)/,
  );
});

/** Arguments that make Node run a script before the program. */
function preload(script: string): string[] {
  return ["--import", `data:text/javascript,${encodeURIComponent(script)}`];
}

interface DoctorReport {
  ok: boolean;
  findings: { check: string; state: string; detail: string }[];
}

function stateOf({ stdout }: CommandOutcome, check: string): string | undefined {
  return (JSON.parse(stdout) as DoctorReport).findings.find((finding) => finding.check === check)?.state;
}

async function statusWith(
  url: string,
  token: string,
  path = "/api/longvideo/video/details?video_id=demoVideo01",
): Promise<number> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

function installedNode(): boolean {
  try {
    createRequire(BIN).resolve(`node-${process.platform}-${process.arch}/package.json`);
    return true;
  } catch {
    return false;
  }
}

test("doctor says that secrets are set and never prints them", async () => {
  const secrets = {
    DATA_DIR: join(HOME, "no-data"),
    STORE_URL: "mysql://someone:hunter2secret@127.0.0.1/x",
    STORE_REPLICA_URLS: "postgres://someone:hunter2secret@127.0.0.1:1/x",
    API_TOKEN: "hunter2secret-hunter2secret",
  };
  const { stdout, stderr } = await triptych(["doctor", "--json"], secrets);
  assert.ok(stdout.includes("STORE_REPLICA_URLS"));
  assert.doesNotMatch(stdout + stderr, /hunter2secret/);
});
