/** The documents say what is so: generated ones are fresh, links lead somewhere, the README's commands exist. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { CommanderError } from "commander";
import { createProgram } from "#cli/program.ts";
import { EXIT } from "#cli/terminal.ts";
import { SETTINGS } from "#config";
import { ERRORS } from "#errors";
import { TABLES } from "#store/postgres/schema.ts";
import { generatedFiles, readGenerated } from "../scripts/generated-files.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("generated files are what npm run generate would write", async () => {
  const files = await generatedFiles(ROOT);
  for (const [path, text] of files) {
    const found = readGenerated(join(ROOT, path));
    assert.ok(found !== null, `${path} is missing: run npm run generate`);
    assert.ok(found === text, `${path} is stale: run npm run generate`);
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
  for (const code of Object.keys(ERRORS)) assert.ok(errors.includes(`[\`${code}\`](#${code}) |`), code);
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

test("every triptych command in the documents has what the command line asks for", async () => {
  const commands = globSync(["README.md", "docs/**/*.md"], { cwd: ROOT }).flatMap((page) =>
    [...blockLines(read(page)), ...inlineCode(read(page))].flatMap((line) =>
      commandsIn(line).map((words) => ({ place: `${page}: ${line}`, words })),
    ),
  );
  assert.ok(commands.length > 150, `${commands.length} commands`);
  const problems: string[] = [];
  for (const { place, words } of commands) {
    const problem = await parseProblem(words);
    if (problem !== null) problems.push(`${place}: ${problem}`);
  }
  assert.deepEqual(problems, []);
});

test("every command that an error advises runs as it stands", async () => {
  const remedies = Object.values(ERRORS).map(({ remedy }) => remedy);
  const commands = remedies.flatMap((remedy) =>
    [...remedy.matchAll(/`(triptych [^`]+)`/g)].map(([, code = ""]) => code),
  );
  assert.ok(commands.length > 1, "commands");
  for (const code of commands)
    for (const words of commandsIn(code)) assert.equal(await parseProblem(words), null, code);
});

/** The lines of shell blocks, and the examples in the help of commands without their remarks. */
function blockLines(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^ *```sh\n(.*?)\n *```$/gms)].map(([, code = ""]) => code);
  const examples = [...markdown.matchAll(/^ +\$ (.*?)(?: {2,}.*)?$/gm)].map(([, example = ""]) => example);
  return [...blocks.flatMap((code) => code.replaceAll(/\\\n\s*/g, "").split("\n")), ...examples];
}

/** Commands in running text. One without anything behind its name is a mention. */
function inlineCode(markdown: string): string[] {
  const prose = markdown.replaceAll(/^ *```.*?^ *```$/gms, "");
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return spans.filter((code) => code.includes("bin/triptych.mjs") || /\btriptych [a-z ]+ [^a-z ]/.test(code));
}

/** The arguments of each `triptych` or `node bin/triptych.mjs` in a line of shell. */
function commandsIn(line: string): string[][] {
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word);
  return words.flatMap((word, index) => {
    const before = words[index - 1] ?? "";
    // Behind a container's name, which is ours too.
    const isProgram = /(?:^|\$\()triptych$/.test(word) && /^(?:npx|triptych|env|\w+=.*|[|&;]*)$/.test(before);
    if (!isProgram && !(word.endsWith("bin/triptych.mjs") && before === "node")) return [];
    const rest = words.slice(index + 1);
    // Stands for any command.
    if (/^(?:…|"\$@")/.test(rest[0] ?? "")) return [];
    const end = rest.findIndex((next) => /^(?:[|&;#]+|\d?>.*)$/.test(next));
    return [rest.slice(0, end === -1 ? undefined : end).map((next) => next.replaceAll(/^['"]|['");]+$/g, ""))];
  });
}

/** What is wrong with the arguments; null if a command would run. The hook keeps it from running. */
async function parseProblem(words: string[]): Promise<string | null> {
  let problem: string | null = null;
  const program = await createProgram({
    env: {},
    out: () => undefined,
    err: (text) => (problem = text.trim()),
    width: null,
    columns: null,
    style: (_style, text) => text,
    verbosity: "normal",
    exitCode: EXIT.ok,
  });
  program.hook("preAction", () => {
    throw new CommanderError(EXIT.ok, "parsed", "parsed");
  });
  await assert.rejects(program.parseAsync(words, { from: "user" }), CommanderError);
  return problem;
}

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
  const columns = new Map(TABLES.map(({ name, key }) => [name, key[0] ?? ""]));
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
