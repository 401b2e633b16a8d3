/** `triptych capture` with a program on PATH that the test wrote: it does as it is told, hangs, floods, fails and cheats. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { programEnvironment } from "#testing/program-environment.ts";
import { until } from "#testing/until.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";
import { BIN } from "./spawn-import.ts";

/** Invented. */
const video = (id: string) => ({
  id,
  title: "Kneading by hand",
  extractor_key: "Youtube",
  channel: "Quiet Bakery",
  channel_id: "UCquietbakery0000000000a",
  view_count: 12,
  upload_date: "20261101",
  epoch: 1_793_000_000,
});

const PROGRAM = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } = require("node:fs");
const { spawn } = require("node:child_process");
const { join } = require("node:path");
const here = __dirname;
const args = process.argv.slice(2);
if (args[0] === "--version") {
  writeFileSync(join(here, "version-env.json"), JSON.stringify(process.env));
  console.log("2026.11.01");
  process.exit(0);
}
// Whole as soon as it is there.
writeFileSync(join(here, "calling.json"), JSON.stringify({ args, cwd: process.cwd(), env: process.env, pid: process.pid }));
renameSync(join(here, "calling.json"), join(here, "called.json"));
const mode = readFileSync(join(here, "mode"), "utf8");
const write = (id) => writeFileSync(id + " [" + id + "].info.json", readFileSync(join(here, "video.json"), "utf8").replaceAll("ID", id));
if (mode === "works") write("workedvideo");
if (mode === "fails") {
  write("beforefails");
  console.error("ERROR: [youtube] the video is private");
  process.exitCode = 1;
}
if (mode === "hangs") {
  write("beforehangs");
  process.on("SIGTERM", () => {});
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  writeFileSync(join(here, "pid"), String(child.pid));
  setInterval(() => {}, 1000);
}
if (mode === "floods") {
  process.on("SIGTERM", () => {});
  write("beforeflood");
  // Far more than it may, but no more: it is asked to stop for seconds before it is ended.
  const noise = "x".repeat(1 << 20);
  let left = 32;
  setInterval(() => {
    if (left-- <= 0) return;
    process.stderr.write(noise);
    appendFileSync("flood.bin", noise);
  }, 5);
}
// The times of two posts differ also where the program was held up: a late interval is followed by the next one at once.
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
if (mode === "endless videos") {
  let number = 0;
  setInterval(() => {
    pause();
    write("endless" + String(++number).padStart(3, "0") + "o");
  }, 1);
}
if (mode === "endless photos") {
  // The profile first, and the comments of a post before the post.
  const writeNode = (name, type, node) =>
    writeFileSync("quiet.bakery/" + name + ".json.xz", JSON.stringify({ node, instaloader: { version: "4.14", node_type: type } }));
  const owner = { id: "5501002003", username: "quiet.bakery" };
  mkdirSync("quiet.bakery");
  writeNode("quiet.bakery_" + owner.id, "Profile", owner);
  let number = 0;
  setInterval(() => {
    pause();
    const shortcode = "Cendless" + String(++number).padStart(3, "0");
    const name = args[args.indexOf("--filename-pattern") + 1].replace("{shortcode}", shortcode);
    const comment = { id: number, created_at: 1793000000, text: "Lovely", owner, likes_count: 0, answers: [] };
    writeFileSync("quiet.bakery/" + name + "_comments.json", JSON.stringify([comment]));
    writeNode(name, "Post", { __typename: "GraphImage", id: String(3300000000000000000n + BigInt(number)), shortcode, owner });
  }, 1);
}
if (mode === "links") {
  write("besidelinks");
  symlinkSync(join(here, "outside.info.json"), "linked [outsidevid1].info.json");
  symlinkSync(here, "linked-folder");
}
`;

describe("triptych capture", () => {
  let folder: string;
  let env: Record<string, string>;
  const bin = () => join(folder, "bin");

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "triptych-capture-test-"));
    mkdirSync(bin());
    // A folder of its own for what it leaves behind.
    mkdirSync(join(folder, "tmp"));
    writeFileSync(join(bin(), "program.cjs"), PROGRAM);
    for (const name of ["yt-dlp", "instaloader"]) {
      // A first line that names an interpreter cannot have a path with a space.
      const command = [process.execPath, join(bin(), "program.cjs")].map((path) => `'${path}'`).join(" ");
      writeFileSync(join(bin(), name), `#!/bin/sh\nexec ${command} "$@"\n`);
      chmodSync(join(bin(), name), 0o755);
    }
    writeFileSync(join(bin(), "video.json"), JSON.stringify(video("ID")));
    writeFileSync(join(bin(), "outside.info.json"), JSON.stringify(video("outsidevid1")));
    env = { PATH: bin(), DATA_DIR: join(folder, "data"), API_TOKEN: "a-secret-of-the-service-0", LOG_LEVEL: "silent" };
  });
  after(() => rmSync(folder, { recursive: true }));

  const URL_OF_VIDEO = "http://youtu.be/dQw4w9WgXcQ?list=PLx#t=1";

  async function capture(mode: string, ...args: string[]): Promise<CommandOutcome> {
    writeFileSync(join(bin(), "mode"), mode);
    rmSync(join(bin(), "called.json"), { force: true });
    return runCommand(["capture", URL_OF_VIDEO, "--with", "yt-dlp", ...args], env);
  }

  interface Called {
    args: string[];
    cwd: string;
    env: Record<string, string>;
    pid: number;
  }

  const called = () => JSON.parse(readFileSync(join(bin(), "called.json"), "utf8")) as Called;
  const isStored = async (id: string) =>
    (await runCommand(["get", "longvideo/video/details", `video_id=${id}`], env)).code === 0;

  test("runs the program with fixed arguments in a folder of its own, and imports what it wrote", async () => {
    const { code, stdout, stderr } = await capture("works", "--max", "7", "--comments");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /post: 1 new/);
    assert.equal(await isStored("workedvideo"), true);
    const { args, cwd, env: seen } = called();
    assert.deepEqual(args.slice(-2), ["--", "https://youtu.be/dQw4w9WgXcQ?list=PLx"]);
    assert.deepEqual(args.slice(args.indexOf("--playlist-end"), args.indexOf("--playlist-end") + 2), [
      "--playlist-end",
      "7",
    ]);
    for (const option of ["--ignore-config", "--skip-download", "--no-playlist", "--write-comments"]) {
      assert.ok(args.includes(option), option);
    }
    assert.equal(existsSync(cwd), false, "the folder is gone");
    assert.equal(seen["API_TOKEN"], undefined);
    assert.match((await runCommand(["jobs"], env)).stdout, /yt-dlp https:\/\/youtu\.be\//);
  });

  test("what it wrote before it failed is imported, and its last words are printed, also with --quiet", async () => {
    for (const options of [[], ["--quiet"]]) {
      const { code, stderr } = await capture("fails", ...options);
      assert.deepEqual([code, stderr], [1, "yt-dlp failed: ERROR: [youtube] the video is private\n"]);
    }
    assert.equal(await isStored("beforefails"), true);
  });

  test("a program that writes nothing has imported nothing", async () => {
    const { code, stdout } = await capture("nothing");
    assert.equal(code, 2);
    assert.match(stdout, /no records/);
  });

  test("a program that hangs is stopped with what it started", async () => {
    const { code, stderr } = await capture("hangs", "--timeout", "1");
    assert.equal(code, 1);
    assert.match(stderr, /yt-dlp was stopped after 1 s; what it had written was imported/);
    assert.equal(await isStored("beforehangs"), true);
    const pid = Number(readFileSync(join(bin(), "pid"), "utf8"));
    await until(async () => !isRunning(pid));
  });

  /** In a process of its own, to which signals can be sent. */
  function startCapture(mode: string): ChildProcess {
    writeFileSync(join(bin(), "mode"), mode);
    rmSync(join(bin(), "called.json"), { force: true });
    const args = [BIN, "capture", URL_OF_VIDEO, "--with", "yt-dlp"];
    return spawn(process.execPath, args, { env: programEnvironment(env), stdio: "ignore" });
  }

  test("a closed terminal stops the program and deletes its folder", async () => {
    rmSync(join(bin(), "pid"), { force: true });
    const command = startCapture("hangs");
    const pid = await until(async () => existsSync(join(bin(), "pid")) && Number(readFileSync(join(bin(), "pid"))));
    command.kill("SIGHUP");
    assert.deepEqual(await once(command, "exit"), [null, "SIGHUP"]);
    await until(async () => !isRunning(pid) && !isRunning(called().pid));
    assert.equal(existsSync(called().cwd), false);
  });

  test("an import that is interrupted leaves no folder", async () => {
    const store = new DatabaseSync(join(folder, "data", "triptych.sqlite"));
    // The import waits for the lock.
    store.exec("BEGIN IMMEDIATE");
    try {
      const command = startCapture("works");
      await until(async () => existsSync(join(bin(), "called.json")) && !isRunning(called().pid));
      command.kill("SIGINT");
      assert.deepEqual(await once(command, "exit"), [null, "SIGINT"]);
      assert.equal(existsSync(called().cwd), false);
    } finally {
      store.close();
    }
  });

  test("a program that floods is stopped, and nothing of it is imported", async () => {
    const { code, stderr } = await capture("floods", "--max-mb", "2");
    assert.equal(code, 1);
    assert.match(stderr, /wrote more than 2 MB and was stopped; nothing was imported/);
    assert.equal(await isStored("beforeflood"), false);
    assert.equal(existsSync(called().cwd), false);
  });

  test("a program that continues after --max posts is stopped, and later ones are not imported", async () => {
    const videos = await capture("endless videos", "--max", "3", "--timeout", "10");
    assert.deepEqual([videos.code, videos.stderr], [0, ""], videos.stdout);
    assert.match(videos.stdout, /post: 3 new/);
    assert.deepEqual([await isStored("endless003o"), await isStored("endless004o")], [true, false]);
    writeFileSync(join(bin(), "mode"), "endless photos");
    const profile = "https://www.instagram.com/quiet.bakery/";
    const args = ["capture", profile, "--with", "instaloader", "--comments", "--max", "3", "--timeout", "10"];
    const photos = await runCommand(args, env);
    assert.deepEqual([photos.code, photos.stderr], [0, ""], photos.stdout);
    assert.match(photos.stdout, /post: 3 new/);
    assert.match(photos.stdout, /comment: 3 new/);
  });

  test("links that it wrote are not followed", async () => {
    const { stdout } = await capture("links");
    assert.match(stdout, /post: 1 new/);
    assert.deepEqual([await isStored("besidelinks"), await isStored("outsidevid1")], [true, false]);
    assert.ok(existsSync(join(bin(), "outside.info.json")), "deleting the folder followed no link either");
  });

  test("only URLs of the platforms are passed on, and never as options", async () => {
    for (const url of [
      "--exec=touch x",
      "https://evil.example/watch?v=dQw4w9WgXcQ",
      "https://www.youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
      "https://user:pass@www.youtube.com/watch?v=dQw4w9WgXcQ",
      "file:///etc/passwd",
      "https://www.youtube.com/redirect?q=https://evil.example",
    ]) {
      rmSync(join(bin(), "called.json"), { force: true });
      const { code } = await runCommand(["capture", "--with", "yt-dlp", "--", url], env);
      assert.equal(code, 2, url);
      assert.equal(existsSync(join(bin(), "called.json")), false, url);
    }
    const wrong = await runCommand(["capture", "https://www.instagram.com/quiet.bakery/", "--with", "yt-dlp"], env);
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [2, "triptych: yt-dlp is not used for this platform; use --with gallery-dl or instaloader\n"],
    );
  });

  test("instaloader gets names instead of URLs", async () => {
    for (const [url, subject] of [
      ["https://www.instagram.com/quiet.bakery/", "quiet.bakery"],
      ["https://www.instagram.com/p/Cxyz0123_-a/", "-Cxyz0123_-a"],
      ["https://www.instagram.com/explore/tags/sourdough/", "#sourdough"],
    ] as const) {
      writeFileSync(join(bin(), "mode"), "nothing");
      await runCommand(["capture", url, "--with", "instaloader"], env);
      assert.deepEqual(called().args.slice(-2), ["--", subject]);
    }
  });

  test("a program that is not installed is named, and doctor says which are", async () => {
    const url = "https://www.tiktok.com/@quiet.bakery";
    const { code, stderr } = await runCommand(["capture", url, "--with", "gallery-dl"], env);
    assert.equal(code, 1);
    assert.match(stderr, /gallery-dl is not installed, or not on PATH/);
    const doctor = JSON.parse((await runCommand(["doctor", "--json"], { ...env, PORT: "0" })).stdout) as {
      findings: { check: string; state: string; detail: string }[];
    };
    const found = Object.fromEntries(doctor.findings.map(({ check, state, detail }) => [check, [state, detail]]));
    assert.deepEqual(found["yt-dlp"], ["ok", "2026.11.01"]);
    const seen = JSON.parse(readFileSync(join(bin(), "version-env.json"), "utf8")) as Record<string, string>;
    assert.deepEqual([seen["PATH"], seen["API_TOKEN"], seen["DATA_DIR"]], [bin(), undefined, undefined]);
    assert.deepEqual(found["gallery-dl"], ["ok", 'not installed; only "triptych capture" uses it']);
  });

  test("nothing is left in the temporary directory", () => {
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => /^triptych-capture-(?!test)/.test(name)),
      [],
    );
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
