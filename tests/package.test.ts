/**
 * What `npm pack` gives, installed in an empty folder: it imports a file, serves it, and has types. Packed from a copy, so
 * that nothing is left in the clone; its dependencies are links to ours, so that no registry is asked.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { pipeline } from "node:stream/promises";
import { after, before, test } from "node:test";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { isStale } from "../console/build.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const ROOT = resolve(import.meta.dirname, "..");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const NOT_PACKED = /^(?:node_modules|dist|data|bench\/results|\.git)(?:\/|$)/;

const FOLDER = mkdtempSync(join(tmpdir(), "triptych-package-"));
const HOME = join(FOLDER, "home");
const EMPTY = join(FOLDER, "empty");
const INSTALLED = join(FOLDER, "node_modules/triptych-server");
const DATA_DIR = join(HOME, ".local/share/triptych/data");

const ENV = programEnvironment({
  PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
  HOME,
  CONSOLE: "on",
  SEARCH_THREADS: "auto",
  DEMO: "off",
  PORT: "0",
  LOG_LEVEL: "silent",
});

const TOKEN = "a-token-of-the-operator-0001";

/** One line of yt-dlp. */
const VIDEO = {
  id: "packedVid01",
  title: "Harbour at dawn",
  extractor_key: "Youtube",
  _type: "video",
  webpage_url: "https://www.youtube.com/watch?v=packedVid01",
  channel_id: "UCpackedChannel0000000001",
  uploader: "Nia Okafor",
  view_count: 4321,
  duration: 61,
  upload_date: "20260101",
};

before(async () => {
  for (const folder of [HOME, EMPTY, join(FOLDER, "clone"), join(FOLDER, "node_modules")]) mkdirSync(folder);
  await install(packClone());
});

after(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The path of the tarball. */
function packClone(): string {
  const clone = join(FOLDER, "clone");
  cpSync(ROOT, clone, {
    recursive: true,
    filter: (source) => !NOT_PACKED.test(source.slice(ROOT.length + 1).replaceAll("\\", "/")),
  });
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"), "junction");
  // As in a clone that has run: packing builds the console only where its sources are newer.
  if (!isStale()) cpSync(join(ROOT, "dist/console"), join(clone, "dist/console"), { recursive: true });
  const output = execFileSync("npm", ["pack", "--json"], {
    cwd: clone,
    env: ENV,
    encoding: "utf8",
    stdio: "pipe",
    shell: process.platform === "win32",
  });
  const [{ filename } = { filename: "" }] = JSON.parse(output.slice(output.indexOf("["))) as { filename: string }[];
  return join(clone, filename);
}

/** As npm does: the files in node_modules/triptych-server, the dependencies of its package.json beside it. */
async function install(tarball: string): Promise<void> {
  const entries = extract();
  entries.on("entry", ({ name }, stream, next) => {
    void text(stream).then((content) => {
      const path = join(INSTALLED, name.replace(/^package\//, ""));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      next();
    });
  });
  await pipeline(createReadStream(tarball), createGunzip(), entries);
  const { dependencies } = JSON.parse(readFileSync(join(INSTALLED, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(FOLDER, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link, "junction");
  }
}

function triptych(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(INSTALLED, "bin/triptych.mjs"), ...args], {
    cwd: EMPTY,
    env: ENV,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("the package has compiled code, its own documents, and nothing of the repository beside", () => {
  const files = globSync("**", { cwd: INSTALLED, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(INSTALLED.length + 1));
  const others = files.filter(
    (file) =>
      !/^(?:bin\/triptych\.mjs|docs\/[\w-]+\.md|dist\/(?:src|client)\/.+\.js|dist\/console\/assets\/[\w.-]+\.(?:js|css)|dist\/pages\/\w+\.(?:html|js))$/.test(
        file,
      ),
  );
  const declarations = others.filter((file) => file.endsWith(".d.ts"));
  // Only of what a program can import.
  assert.ok(declarations.includes("dist/client/triptych.d.ts") && declarations.includes("dist/src/config.d.ts"));
  assert.ok(declarations.length < files.length / 5, declarations.join(" "));
  assert.deepEqual(others.filter((file) => !file.endsWith(".d.ts")).toSorted(), [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "dist/console/build.json",
    "dist/console/index.html",
    "dist/demo/world.ndjson.zst",
    "dist/package.json",
    "openapi.json",
    "package.json",
  ]);
  assert.deepEqual(
    files.filter((file) => /\.test\.|conformance|fixtures/.test(file)),
    [],
  );
});

test("hints name the program as it was installed, and no other package", () => {
  const hints = () => triptych("--help").stdout + triptych("jobs").stderr;
  // As in a global folder: nothing beside node_modules.
  assert.match(hints(), /^ {2}\$ triptych serve/m);
  assert.match(hints(), /create one with "triptych serve"/);
  assert.doesNotMatch(hints(), /npx/);
  const project = join(FOLDER, "package.json");
  writeFileSync(project, "{}");
  assert.match(hints(), /create one with "npx triptych serve"/);
  rmSync(project);
  const help = execFileSync(process.execPath, [join(INSTALLED, "bin/triptych.mjs"), "--help"], {
    cwd: EMPTY,
    env: { ...ENV, TRIPTYCH_COMMAND: "docker exec triptych triptych" },
    encoding: "utf8",
  });
  assert.match(help, /^ {2}\$ docker exec triptych triptych serve/m);
});

test("the installed program imports a file into the user's data folder and answers from it", async () => {
  writeFileSync(join(EMPTY, "video.info.json"), JSON.stringify(VIDEO));
  const imported = triptych("import", "video.info.json");
  assert.equal(imported.status, 0, imported.stderr);
  assert.ok(existsSync(join(DATA_DIR, "triptych.sqlite")));
  assert.ok(!existsSync(join(EMPTY, "data")));

  // Its trends are computed in a thread.
  assert.equal(triptych("get", "shortvideo/trending/videos").status, 0);

  // Worker processes are started by the path of their program too.
  const workers = process.platform === "linux" ? "2" : "1";
  const service = spawn(process.execPath, [join(INSTALLED, "bin/triptych.mjs"), "serve", "--json"], {
    cwd: EMPTY,
    env: { ...ENV, WORKERS: workers, API_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(service.stdout), "line")) as [string];
    const { address } = JSON.parse(line) as { address: string };
    const details = await fetch(`${address}/api/longvideo/video/details?video_id=${VIDEO.id}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    assert.equal(details.status, 200);
    assert.equal(((await details.json()) as { number_of_views: number }).number_of_views, VIDEO.view_count);
    const { createClient } = (await import(
      pathToFileURL(join(INSTALLED, "dist/client/triptych.js")).href
    )) as typeof import("../client/triptych.ts");
    const client = createClient({ url: address, token: TOKEN });
    const { title } = await client.longvideo.videoDetails({ video_id: VIDEO.id });
    assert.equal(title, VIDEO.title);
    const reference = await fetch(`${address}/docs/js/scalar.js`);
    assert.ok((await reference.arrayBuffer()).byteLength > 1_000_000);
    for (const path of ["", "js/start.js", "guides/importing", "errors"])
      assert.equal((await fetch(`${address}/docs/${path}`)).status, 200, path);
    const page = await (await fetch(address)).text();
    const [script = ""] = /\/assets\/[\w.-]+\.js/.exec(page) ?? assert.fail(page);
    assert.equal((await fetch(address + script)).headers.get("cache-control"), "public, max-age=31536000, immutable");
  } finally {
    const exited = once(service, "exit");
    service.kill();
    assert.deepEqual(await exited, process.platform === "win32" ? [null, "SIGTERM"] : [0, null]);
  }
});

test("the package's types are those of the program", () => {
  const source = [
    'import { type Config, readConfig } from "triptych-server/config";',
    'import { startService } from "triptych-server/service";',
    'import { createClient } from "triptych-server/client";',
    "const config: Config = readConfig({});",
    "// @ts-expect-error A port is a number.",
    "const port: string = config.port;",
    "export const address: Promise<string> = startService(config).then(({ startup }) => startup.url);",
    "// @ts-expect-error There is no such operation.",
    'export const wrong = createClient({ url: "http://127.0.0.1", token: "x" }).longvideo.video;',
    "export { port };",
  ];
  writeFileSync(join(FOLDER, "embed.mts"), source.join("\n"));
  const options = [
    "--ignoreConfig",
    "--singleThreaded",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--target",
    "esnext",
  ];
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node"];
  const run = spawnSync(process.execPath, [TSC, ...options, ...types, join(FOLDER, "embed.mts")], { encoding: "utf8" });
  assert.equal(run.stdout, "");
  assert.equal(run.status, 0);
});
