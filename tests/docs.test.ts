/** The documents say what is so: generated ones are fresh, links lead somewhere, the README's commands exist. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { SETTINGS } from "#config";
import { ERRORS } from "#errors";
import { MIGRATIONS } from "#store/postgres/migrations.ts";
import { generatedFiles } from "../scripts/generated-files.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("generated files are what npm run generate would write", async () => {
  const files = await generatedFiles(ROOT);
  for (const [path, text] of files) {
    assert.ok(existsSync(join(ROOT, path)), `${path} is missing: run npm run generate`);
    assert.ok(read(path) === text, `${path} is stale: run npm run generate`);
  }
  const pages = globSync("docs/endpoints/**/*.md", { cwd: ROOT }).filter((path) => !files.has(path));
  assert.deepEqual(pages, [], "pages of operations that no longer exist");
});

test("every relative link in the documents leads to a file, and every anchor to a heading", () => {
  const broken: string[] = [];
  for (const page of globSync(["*.md", "docs/**/*.md"], { cwd: ROOT })) {
    for (const [, target = ""] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/i.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(file)) broken.push(`${page}: ${target}`);
      else if (anchor !== undefined && file.endsWith(".md") && !anchorsOf(readFileSync(file, "utf8")).has(anchor)) {
        broken.push(`${page}: ${target} has no such heading`);
      }
    }
  }
  assert.deepEqual(broken, []);
});

function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
}

test("every setting has its line in docs/configuration.md, every error its line in docs/errors.md", () => {
  const [configuration, errors] = [read("docs/configuration.md"), read("docs/errors.md")];
  for (const { name } of SETTINGS) assert.ok(configuration.includes(`| \`${name}\` |`), name);
  for (const code of Object.keys(ERRORS)) assert.ok(errors.includes(`\`${code}\` |`), code);
  const numbers = Object.values(ERRORS).map(({ number }) => number);
  assert.deepEqual(new Set(numbers).size, numbers.length, "a number stands for one error");
});

test("the README's npm commands are scripts, and CI runs its test command", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const readme = read("README.md");
  assert.match(readme, /^npm ci && npm start$/m);
  assert.match(readme, /^npm ci && npm test$/m);
  for (const page of ["README.md", "CONTRIBUTING.md"]) {
    for (const [, script = ""] of read(page).matchAll(/npm run ([\w:-]+)/g))
      assert.ok(scripts[script] !== undefined, `${page}: npm run ${script}`);
  }
  assert.match(read(".ci/run"), /^npm ci$[\s\S]*^npm test$/m);
});

test("npm ci warns of no engine: the Node that runs the programs is installed with them", () => {
  const { engines, optionalDependencies } = JSON.parse(read("package.json")) as {
    engines: { node: string };
    optionalDependencies: Record<string, string>;
  };
  assert.match(read(".npmrc"), /^loglevel=error$/m);
  assert.equal(engines.node, ">=20");
  for (const version of Object.values(optionalDependencies)) assert.ok(Number.parseInt(version, 10) >= 24);
  assert.match(read("README.md"), /if your Node is older than 24, npm\s+installs Node 24 as a package/);
});

test("the lock file records no download addresses and every version is pinned exactly", () => {
  assert.doesNotMatch(read("package-lock.json"), /"resolved"/);
  const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  for (const group of ["dependencies", "devDependencies", "optionalDependencies"]) {
    for (const [name, version] of Object.entries(manifest[group] ?? {}))
      assert.match(version, /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/, name);
  }
});

test("the section on Citus places every table, and distributes it by the first column of its primary key", () => {
  const columns = new Map<string, string>();
  for (const [, table = "", body = ""] of MIGRATIONS.join("\n").matchAll(
    /CREATE TABLE (\w+) \((.*?)\)(?: WITH [^;]*)?;/gs,
  )) {
    columns.set(table, /PRIMARY KEY \((\w+)/.exec(body)?.[1] ?? /(\w+) [^,]*PRIMARY KEY/.exec(body)?.[1] ?? "");
  }
  for (const [, table = ""] of MIGRATIONS.join("\n").matchAll(/DROP TABLE (\w+);/g)) columns.delete(table);
  columns.set("triptych_store", "");
  const section = read("docs/operating.md").split("## Distributing tables with Citus")[1]?.split("\n## ")[0] ?? "";
  const placed = new Set<string>();
  for (const [, table = "", column = ""] of section.matchAll(/create_distributed_table\('(\w+)',\s*'(\w+)'/g)) {
    assert.equal(columns.get(table), column, table);
    placed.add(table);
  }
  for (const [, table = ""] of section.matchAll(/create_reference_table\('(\w+)'/g)) placed.add(table);
  const [, onCoordinator = ""] = /\| Tables on the coordinator[^\n]*\n(.*?)\n\n/s.exec(section) ?? [];
  for (const [, table = ""] of onCoordinator.matchAll(/`(\w+)`/g)) placed.add(table);
  assert.deepEqual([...placed].toSorted(), [...columns.keys()].toSorted());
});
