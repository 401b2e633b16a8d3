/** Who may import whom, read from the imports themselves. A folder that is not named here may import nothing of ours. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "..");

interface Import {
  file: string;
  /** From the repository's root, or a package's or Node's own name. */
  target: string;
  typeOnly: boolean;
}

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

const SUBPATHS = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { imports: Record<string, string> })
  .imports;

function resolveTarget(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return relative(ROOT, resolve(ROOT, dirname(file), specifier));
  if (!specifier.startsWith("#")) return specifier;
  for (const [pattern, path] of Object.entries(SUBPATHS)) {
    const [head = "", tail] = pattern.split("*");
    if (tail === undefined ? specifier === pattern : specifier.startsWith(head)) {
      return path.replace("./", "").replace("*", specifier.slice(head.length));
    }
  }
  return specifier;
}

function importsBelow(folder: string): Import[] {
  return globSync(`${folder}/**/*.ts`, { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(IMPORT)].map(([, type, fixed, dynamic]) => ({
        file,
        target: resolveTarget(file, fixed ?? dynamic ?? ""),
        typeOnly: type !== undefined,
      })),
    );
}

const SLICES = ["src/across", ...["shortvideo", "longvideo", "photoshare"].map((name) => `src/platforms/${name}`)];

/** For each folder, what it may import of ours beside itself. A trailing `!` allows types only. */
const MAY_IMPORT: Record<string, string[]> = {
  "src/domain": [],
  "src/search": ["src/domain", "src/errors.ts"],
  "src/store": ["src/domain", "src/errors.ts", "src/search"],
  "src/contract": ["src/domain", "src/errors.ts", "src/store/store.ts!"],
  "src/ingest": ["src/domain", "src/errors.ts", "src/contract", "src/store/store.ts!"],
  "src/access": ["src/domain", "src/errors.ts", "src/contract", "src/store/store.ts!"],
  "src/surfaces": [
    "src/contract",
    "src/access",
    "src/ingest",
    "src/errors.ts",
    "src/config.ts",
    "src/platforms.ts",
    "src/app.ts",
    "src/house.ts",
    "src/importing.ts",
    "src/copying.ts",
    "src/domain",
    "src/store/store.ts!",
    "src/store/unfit.ts",
    "package.json",
  ],
  ...Object.fromEntries(
    SLICES.map((slice) => [
      slice,
      ["src/domain", "src/errors.ts", "src/contract", "src/ingest/containers", "src/store/store.ts!"],
    ]),
  ),
};

const isOurs = (target: string) => /^(?:src|demo|tests|bench|package\.json)/.test(target);

for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
  test(`${folder} imports only what it may`, () => {
    const wrong = importsBelow(folder).filter(({ target, typeOnly }) => {
      if (!isOurs(target) || target.startsWith(`${folder}/`)) return false;
      return !allowed.some((entry) => {
        const path = entry.replace("!", "");
        return (target === path || target.startsWith(`${path}/`)) && (typeOnly || !entry.endsWith("!"));
      });
    });
    assert.deepEqual(wrong, []);
  });
}

test("errors.ts imports nothing", () => {
  assert.deepEqual(
    importsBelow("src").filter(({ file }) => file === "src/errors.ts"),
    [],
  );
});

test("only open-store.ts names a database", () => {
  const named = importsBelow("src").filter(
    ({ file, target }) => /^src\/store\/(?:sqlite|postgres)/.test(target) && !file.startsWith("src/store/"),
  );
  assert.deepEqual([...new Set(named.map(({ file }) => file))], ["src/open-store.ts"]);
});

test("endpoints, shapes and domain touch no node:* and no clock", () => {
  const pure = (file: string) => /^src\/(?:domain|across|platforms\/\w+\/(?:endpoints|shapes))/.test(file);
  assert.deepEqual(
    importsBelow("src").filter(({ file, target }) => pure(file) && target.startsWith("node:")),
    [],
  );
  for (const file of globSync("src/**/*.ts", { cwd: ROOT }).filter(
    (name) => pure(name) && !name.endsWith(".test.ts"),
  )) {
    assert.doesNotMatch(readFileSync(join(ROOT, file), "utf8"), /\bDate\.now\(|new Date\(\)/, file);
  }
});

test("only ingest is given a Writer", () => {
  const holders = globSync("src/**/*.ts", { cwd: ROOT }).filter(
    (file) =>
      !/^src\/(?:store|ingest)\/|^src\/(?:app|open-store)\.ts$|\.test\.ts$/.test(file) &&
      /\bWriter\b|\.writer\b/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  assert.deepEqual(holders, []);
});

test("nothing that answers requests can dial out", () => {
  const dialers = /^(?:node:)?(?:http|https|http2|net|tls|dgram|dns|undici)(?:$|\/)/;
  const wrong = importsBelow("src").filter(
    ({ file, target, typeOnly }) =>
      /^src\/(?:across|platforms|contract|store|search|surfaces\/http)/.test(file) && dialers.test(target) && !typeOnly,
  );
  assert.deepEqual(wrong, []);
  for (const file of globSync("src/{across,platforms,contract,store,search,surfaces/http}/**/*.ts", { cwd: ROOT })) {
    assert.doesNotMatch(readFileSync(join(ROOT, file), "utf8"), /(?<![\w.])fetch\(/, file);
  }
});

test("no drawers: every file says what it holds", () => {
  const drawers = globSync("{src,demo,tests,scripts,bench}/**/*.ts", { cwd: ROOT }).filter((file) =>
    /(?:^|\/)(?:utils?|helpers?|common|misc|shared|manager|base|types|index)(?:\.ts$|\/)/.test(file),
  );
  assert.deepEqual(drawers, []);
});
