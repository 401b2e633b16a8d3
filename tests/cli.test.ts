/**
 * The command line as people meet it, on an empty folder. Whatever starts, ends or fails to start is the real program in
 * a process of its own; commands that only answer run in this process, by the function that the program calls.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { STORE_FILE } from "#store/sqlite/store.ts";
import { runCommandLine } from "#cli/program.ts";
import { EXIT } from "#cli/terminal.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { until } from "#testing/until.ts";

const BIN = join(import.meta.dirname, "..", "bin", "triptych.mjs");
const HOME = mkdtempSync(join(tmpdir(), "triptych-cli-"));
const DATA_DIR = join(HOME, "data");

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

interface Served {
  process: ChildProcess;
  welcome: string;
  address: string;
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return programEnvironment({ DATA_DIR, PORT: "0", LOG_LEVEL: "silent", ...more });
}

/** A command in this process. */
async function triptych(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const outcome = { code: 0, stdout: "", stderr: "" };
  outcome.code = await runCommandLine(args, {
    env: environment(env),
    out: (text) => void (outcome.stdout += text),
    err: (text) => void (outcome.stderr += text),
    width: null,
    exitCode: EXIT.ok,
  });
  return outcome;
}

/** The same in a process of its own. */
function program(args: string[], env: Record<string, string> = {}, nodeArgs: string[] = []): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: environment(env) };
    execFile(process.execPath, [...nodeArgs, BIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

async function serve(args: string[] = [], env: Record<string, string> = {}): Promise<Served> {
  const child = spawn(process.execPath, [BIN, "serve", ...args], { env: environment(env) });
  let welcome = "";
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    welcome += String(chunk);
    if (/Stop: Ctrl-C|^\{.*\}$/m.test(welcome)) break;
  }
  child.stdout.resume();
  const address = /http:\/\/[\w.:[\]]+/.exec(welcome)?.[0];
  assert.ok(address, `the service did not start: ${complaint}`);
  return { process: child, welcome, address };
}

async function stop({ process: child }: Served, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  return code;
}

function assertOneSentence({ code, stdout, stderr }: Outcome, sentence: RegExp, expectedCode = 1): void {
  assert.equal(code, expectedCode, stderr);
  assert.match(stderr, /^triptych: [^\n]+\n$/);
  assert.match(stderr, sentence);
  assert.doesNotMatch(stdout + stderr, /^\s*at /m);
}

/** The words of a line as a shell would read them, for single and double quotes. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** Does what curl would do with the options that the welcome uses. */
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

let first: Served;

before(async () => {
  first = await serve();
});

after(async () => {
  if (first.process.exitCode === null) await stop(first);
  rmSync(HOME, { recursive: true, force: true });
});

test("the first start shows address, token, docs and a request per platform that works when pasted", async () => {
  const { welcome, address } = first;
  const [token] = /tt_\w{48}/.exec(welcome) ?? [];
  assert.ok(token);
  assert.match(welcome, /shown this once/);
  assert.ok(welcome.includes(`${address}/docs`));
  const lines = welcome.split("\n").filter((line) => line.trim().startsWith("curl "));
  assert.deepEqual(
    lines.map((line) => /\/api\/(\w+)\//.exec(line)?.[1]),
    PLATFORMS.map(({ name }) => name),
  );
  assert.ok(lines.some((line) => line.includes("--data-urlencode")));
  for (const line of lines) {
    assert.ok(line.includes(`Bearer ${token}`));
    const answer = await runCurl(line);
    assert.equal(answer.status, 200, await answer.text());
  }
});

test("a later start makes no token and says how to; SIGTERM and SIGINT end it with 0", async () => {
  const second = await serve();
  assert.doesNotMatch(second.welcome, /tt_/);
  assert.match(second.welcome, /token create/);
  assert.equal(await stop(second, "SIGTERM"), 0);

  const third = await serve(["--json"]);
  assert.deepEqual(JSON.parse(third.welcome), { address: third.address, token: null, demoFilled: false });
  assert.equal(await stop(third, "SIGINT"), 0);
});

test("an operator's own token is used and never shown", async () => {
  const API_TOKEN = "a-token-of-the-operator-0001";
  const served = await serve([], { API_TOKEN });
  assert.match(served.welcome, /API_TOKEN/);
  assert.ok(!served.welcome.includes(API_TOKEN));
  assert.equal(await statusWith(served.address, API_TOKEN), 200);
  assert.equal(await stop(served), 0);
});

test("a request that runs when the stop comes is answered, and nothing new is let in", async () => {
  const API_TOKEN = "a-token-of-the-operator-0002";
  const served = await serve([], { API_TOKEN });
  const body = "username_or_url=luna.marchetti";
  const posting = request(`${served.address}/api/photoshare/get-profile-v2`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${API_TOKEN}`,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  const answered = once(posting, "response");
  posting.flushHeaders();
  await once(posting, "continue");
  const ended = once(served.process, "exit");
  served.process.kill("SIGTERM");
  await until(async () => (await fetch(`${served.address}/healthz`).catch(() => null)) === null);
  posting.end(body);
  const [answer] = (await answered) as [{ statusCode: number; resume(): void }];
  answer.resume();
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(await ended, [0, null]);
});

test("a busy port is one sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  assertOneSentence(await program(["serve", "--port", String(port)]), /in use by another program.*--port/);
  const doctor = await program(["doctor", "--json"], { PORT: String(port) });
  assert.equal(doctor.code, 1);
  assert.equal(standing(doctor, "port"), "fail");
  other.close();
});

test("a damaged store, a newer store and a data folder that is none are one sentence each", async () => {
  const damaged = join(HOME, "damaged");
  mkdirSync(damaged);
  writeFileSync(join(damaged, STORE_FILE), Buffer.alloc(8_192, "no store at all "));
  assertOneSentence(await program(["serve"], { DATA_DIR: damaged }), /damaged or not a store/);

  const newer = join(HOME, "newer");
  assert.equal((await program(["token", "create", "--label", "early"], { DATA_DIR: newer })).code, 0);
  const db = new DatabaseSync(join(newer, STORE_FILE));
  db.exec("PRAGMA user_version = 999");
  db.close();
  assertOneSentence(await program(["serve"], { DATA_DIR: newer }), /newer Triptych/);
  const doctor = await triptych(["doctor", "--json"], { DATA_DIR: newer });
  assert.equal(doctor.code, 1);
  assert.equal(standing(doctor, "store"), "fail");

  const file = join(HOME, "a-file");
  writeFileSync(file, "");
  for (const dataDir of [file, join(file, "below")]) {
    assertOneSentence(
      await program(["serve"], { DATA_DIR: dataDir }),
      /cannot be made or is no folder .* set DATA_DIR/,
    );
  }
});

test("wrong settings and secrets are one sentence, and an unusable log file is found before the start", async () => {
  assertOneSentence(await program(["serve"], { PORT: "many" }), /PORT must be a whole number/);
  assertOneSentence(await program(["serve", "--port", "many"]), /--port must be a whole number/, 2);
  assertOneSentence(await program(["serve"], { LOG_FILE: HOME }), /LOG_FILE: .* folder/);
  const careless = join(HOME, "careless");
  mkdirSync(careless);
  writeFileSync(join(careless, "pepper"), "too short", { mode: 0o600 });
  assertOneSentence(await program(["serve"], { DATA_DIR: careless }), /pepper file .* hexadecimal/);
});

test("tokens are made, listed, rotated and revoked, and a running service follows within a second", async () => {
  const made = await triptych([
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
  assert.equal(made.code, 0);
  const token = made.stdout.trim();
  assert.match(token, /^tt_\w{48}$/);
  const keyId = token.slice(3, 13);
  assert.equal(await statusWith(first.address, token), 200);
  assert.equal(
    await statusWith(first.address, token, "/api/photoshare/get-profile?username_or_url=luna.marchetti"),
    403,
  );

  const rotated = await triptych(["token", "rotate", keyId, "--overlap", "3600", "--json"]);
  const successor = JSON.parse(rotated.stdout) as { token: string; keyId: string; scopes: string[]; limits: object };
  assert.deepEqual([successor.scopes, successor.limits], [["read:longvideo"], { burst: 500 }]);
  assert.equal(await statusWith(first.address, token), 200);
  assert.equal(await statusWith(first.address, successor.token), 200);
  assertOneSentence(await triptych(["token", "rotate", keyId]), /rotated already/);

  assert.equal((await triptych(["token", "revoke", successor.keyId])).code, 0);
  // A request that is sent a second later is refused, however long its answer takes on a busy machine.
  const revokedAt = performance.now();
  await until(async () => {
    const askedAt = performance.now();
    if ((await statusWith(first.address, successor.token)) === 401) return true;
    assert.ok(askedAt < revokedAt + 1_000, "a revoked token was accepted more than a second later");
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

test("what a token command cannot use is a usage error; an unknown key is a failure", async () => {
  const create = (...more: string[]) => triptych(["token", "create", "--label", "x", ...more]);
  assertOneSentence(await create("--scopes", "read:everything"), /no such scope/, 2);
  assertOneSentence(await create("--expires", "soon"), /--expires must be a whole number or never/, 2);
  assertOneSentence(await create("--daily", "0"), /daily limit must be/, 2);
  assertOneSentence(await triptych(["token", "create"]), /--label/, 2);
  assertOneSentence(await triptych(["token", "revoke", "nobody"]), /no token nobody/);
});

test("get answers from the store itself", async () => {
  const pretty = await program(["get", "longvideo/video/details", "video_id=demoVideo01"]);
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

test("get fails with 1 as the API would, and with 2 when it is not understood", async () => {
  const missing = ["get", "shortvideo/post/detail", "videoId=1"];
  assertOneSentence(await program(missing), /post_not_found/);
  const problem = await triptych([...missing, "--json"]);
  assert.equal(problem.code, 1);
  assert.equal((JSON.parse(problem.stderr) as { statusCode: number }).statusCode, 10204);
  assertOneSentence(await triptych([...missing, "videoId=2"]), /repeated_parameter/);
  assertOneSentence(await triptych(["get", "shortvideo/post/detail", "videoId"]), /key=value/, 2);
  assertOneSentence(await triptych(["get", "shortvideo/post/detial"]), /did you mean shortvideo\/post\/detail/, 2);
  assertOneSentence(await triptych(["get"]), /name an operation/, 2);
  const nowhere = join(HOME, "nowhere");
  assertOneSentence(await triptych(missing, { DATA_DIR: nowhere }), /no store in/);
  assert.ok(!existsSync(nowhere));
});

test("doctor finds a healthy house healthy, and says so of a running one", async () => {
  const { port } = new URL(first.address);
  const doctor = await triptych(["doctor", "--json"], { PORT: port });
  assert.equal(doctor.code, 0, doctor.stdout);
  const { ok, findings } = JSON.parse(doctor.stdout) as Diagnosis;
  assert.ok(ok);
  assert.deepEqual(
    findings.filter(({ state }) => state === "fail"),
    [],
  );
  for (const check of ["Node", "PORT", "data folder", "store", "records of photoshare", "tokens", "port"]) {
    assert.equal(standing(doctor, check), "ok", check);
  }
});

test("doctor names a wrong setting, hides a token, and makes nothing", async () => {
  const nowhere = join(HOME, "nowhere");
  const doctor = await triptych(["doctor"], {
    DATA_DIR: nowhere,
    TIMEZONE: "Middle/Earth",
    API_TOKEN: "a-token-of-the-operator-0003",
  });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^fail +TIMEZONE +must be a time zone/m);
  assert.match(doctor.stdout, /^warn +data folder /m);
  assert.doesNotMatch(doctor.stdout, /a-token-of-the-operator/);
  assert.ok(!existsSync(nowhere));
});

test("help and version are at hand, and a misspelt command is guessed", async () => {
  const commands = "; serve; token; token create; token list; token revoke; token rotate; get; doctor".split(";");
  const helps = commands.map((command) => triptych([...command.split(" ").filter((word) => word !== ""), "--help"]));
  for (const { code, stdout } of await Promise.all(helps)) {
    assert.equal(code, 0);
    assert.match(stdout, /Examples?:/);
  }
  assert.match((await triptych(["serve", "--help"])).stdout, /RATE_BURST .*\[2000\]/);
  assert.match((await program(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  assertOneSentence(await program(["serv"]), /unknown command 'serv' \(Did you mean serve\?\)/, 2);
});

test("an older Node hands over to the installed one, or says what is needed", async () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } });';
  const handedOver = await program(["--version"], {}, beforehand(older));
  if (installedNode()) assert.match(handedOver.stdout, /^\d+\.\d+\.\d+\n$/);
  else assertOneSentence(handedOver, /Node 24 or newer is needed/);
  const elsewhere = `${older} Object.defineProperty(process, "arch", { value: "abacus" });`;
  assertOneSentence(
    await program(["--version"], {}, beforehand(elsewhere)),
    /Node 20\.9\.0 was found and Node 24 or newer is needed/,
  );
});

/** Arguments with which Node runs some words before the program. */
function beforehand(words: string): string[] {
  return ["--import", `data:text/javascript,${encodeURIComponent(words)}`];
}

interface Diagnosis {
  ok: boolean;
  findings: { check: string; state: string; detail: string }[];
}

function standing({ stdout }: Outcome, check: string): string | undefined {
  return (JSON.parse(stdout) as Diagnosis).findings.find((finding) => finding.check === check)?.state;
}

async function statusWith(
  address: string,
  token: string,
  path = "/api/longvideo/video/details?video_id=demoVideo01",
): Promise<number> {
  const answer = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
  await answer.body?.cancel();
  return answer.status;
}

function installedNode(): boolean {
  try {
    createRequire(BIN).resolve(`node-${process.platform}-${process.arch}/package.json`);
    return true;
  } catch {
    return false;
  }
}

test("doctor tells that secrets are set, and never what they are", async () => {
  const secrets = {
    STORE_URL: "mysql://someone:hunter2secret@127.0.0.1/x",
    STORE_REPLICA_URLS: "postgres://someone:hunter2secret@127.0.0.1:1/x",
    API_TOKEN: "hunter2secret-hunter2secret",
  };
  const { stdout, stderr } = await triptych(["doctor", "--json"], secrets);
  assert.ok(stdout.includes("STORE_REPLICA_URLS"));
  assert.doesNotMatch(stdout + stderr, /hunter2secret/);
});
