/** Who may import whom, read from the imports themselves. A folder or loose file without a rule fails. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { OPERATIONS } from "#platforms/registry.ts";
import {
  findCircles,
  forbiddenImports,
  type Import,
  type ImportRules,
  parseImports,
  readImports,
  ROOT,
  sourceFiles,
  unitGraph,
  unitOf,
} from "#testing/import-graph.ts";

/** The folders of the slices: one for each platform, and one for what spans them. */
const SLICES = [...new Set(OPERATIONS.map(({ group }) => `src/platforms/${group.name}`))];

/** The store's port, and those of its concerns: types only. */
const STORE_PORT = [
  "store",
  ..."audit charts comments copy counters jobs lists records retention search sources tokens trends watches write"
    .split(" ")
    .map((concern) => `${concern}/port`),
  "tokens/usage-port",
  "write/encoded-record",
  "write/events",
].map((name) => `src/store/${name}.ts!`);
/** What all layers above the store may use. */
const FOUNDATION = ["src/domain", "src/errors.ts", "src/api", ...STORE_PORT];
/** What slices may use of import: its containers and its field readers. */
const READERS = ["src/import/containers", "src/import/capture"];

const SHIPPED: ImportRules = {
  "src/domain": [],
  "src/errors.ts": [],
  "src/config.ts": ["src/domain"],
  "src/search": ["src/domain", "src/errors.ts"],
  "src/store": ["src/domain", "src/errors.ts", "src/search"],
  "src/api": ["src/domain", "src/errors.ts", ...STORE_PORT],
  "src/import/containers": ["src/domain", "src/errors.ts", "src/api"],
  "src/import/capture": [
    "src/domain",
    "src/errors.ts",
    "src/api",
    ...["html-parser", "parse-json"].map((name) => `src/import/containers/${name}.ts`),
  ],
  "src/import": [...FOUNDATION, ...READERS],
  "src/export": [...FOUNDATION, "src/search", "src/store/copy/port.ts"],
  "src/privacy": [
    ...FOUNDATION,
    "src/import",
    ...["copy/port", "erasure/erased-record", "erasure/person", "erasure/scrub", "undo/port"].map(
      (name) => `src/store/${name}.ts`,
    ),
  ],
  "src/live": [...FOUNDATION, "src/import/containers"],
  "src/watches": FOUNDATION,
  "src/auth": FOUNDATION,
  "src/rate-limit": FOUNDATION,
  ...Object.fromEntries(SLICES.map((slice) => [slice, [...FOUNDATION, ...READERS]])),
  "src/platforms/registry.ts": ["src/api", ...SLICES],
  "src/platforms/records.ts": ["src/api!", "src/domain!", ...SLICES.map((slice) => `${slice}/records.ts`)],
  "src/mcp": FOUNDATION,
  "src/http/uploads": [...FOUNDATION, "src/auth", "src/import"],
  "src/http/admin": [...FOUNDATION, "src/auth", "src/import", "src/privacy", "src/live", "src/watches"],
  "src/http": [
    ...FOUNDATION,
    "src/auth",
    "src/rate-limit",
    "src/export",
    "src/live",
    "src/mcp",
    "src/http/uploads",
    "src/http/admin",
  ],
  "src/serve": [
    ...FOUNDATION,
    "src/config.ts",
    "src/auth",
    "src/rate-limit",
    "src/import",
    "src/import/containers",
    "src/privacy",
    "src/live",
    "src/export",
    "src/platforms/records.ts",
    "src/platforms/registry.ts",
    "src/watches",
    "src/http",
    "src/http/uploads",
    "src/http/admin",
    "src/store",
  ],
  "src/cli": [
    ...FOUNDATION,
    "src/mcp",
    "src/config.ts",
    "src/auth",
    "src/import",
    "src/privacy",
    "src/platforms/records.ts",
    "src/platforms/registry.ts",
    "src/serve",
    "src/export",
    "src/watches",
    "src/live!",
    "src/store/sql/store-open-error.ts",
  ],
};

/** What is never shipped: none of it may be imported by anything above. */
const RULES: ImportRules = {
  ...SHIPPED,
  // Imported by users: depends on nothing.
  client: [],
  // The browser app: talks to the service over HTTP only. Both write CSV.
  "console/src": ["client", "src/domain/csv.ts"],
  // Its build.
  console: [],
  testing: ["src"],
  "tests/postgres": ["src", "testing"],
  "testing/runner": ["src", "testing", "tests/postgres"],
  scripts: ["src", "scripts/demo", "console/build.ts"],
  // Writes the demo world, of which only the file is shipped.
  "scripts/demo": [
    "src/domain",
    ...STORE_PORT,
    ...SLICES.map((slice) => `${slice}/native.ts!`),
    "src/platforms/photoshare/shortcode.ts",
    "src/import/demo-world.ts!",
  ],
  bench: ["src", "testing", "tests/postgres"],
  tests: ["src", "client", "console", "testing", "scripts", "scripts/demo", "bench", "tests/postgres"],
};

const FILES = sourceFiles();
const isTest = (file: string) => /(?:\.test|\bconformance)\.ts$/.test(file);
const IMPORTS = readImports(FILES);
/** Of what is not a test. Tests beside the code may import anything, as those in tests/ may. */
const OWN_IMPORTS = IMPORTS.filter(({ file }) => !isTest(file));
const SHIPPED_IMPORTS = OWN_IMPORTS.filter(({ file }) => file.startsWith("src/"));

test("every folder and loose file has a rule, and every rule has files", () => {
  // A test belongs to the file beside it.
  const untested = FILES.map((file) => file.replace(/\.test\.ts$/, ".ts"));
  assert.deepEqual(
    untested.filter((file) => unitOf(RULES, file) === undefined),
    [],
  );
  const units = new Set(untested.map((file) => unitOf(RULES, file)));
  assert.deepEqual(
    Object.keys(RULES).filter((unit) => !units.has(unit)),
    [],
  );
});

test("the first level of src is the architecture", () => {
  const level = new Set(FILES.filter((file) => file.startsWith("src/")).map((file) => file.split("/")[1] ?? ""));
  const folders =
    "api auth cli domain export http import live mcp platforms privacy rate-limit search serve store watches";
  assert.deepEqual([...level].toSorted().join(" "), `${folders} config.ts errors.ts`.split(" ").toSorted().join(" "));
});

test("every unit imports only what it may; nothing shipped imports a test", () => {
  assert.deepEqual(forbiddenImports(RULES, OWN_IMPORTS), []);
  assert.deepEqual(
    SHIPPED_IMPORTS.filter(({ target }) => isTest(target) || /^test(?:s|ing)\//.test(target)),
    [],
  );
});

test("no file imports itself by way of others, not even for a type", () => {
  assert.deepEqual(findCircles(IMPORTS.map(({ file, target }) => [file, target])), []);
});

test("the rules lead round in no circle, so no folders can import each other", () => {
  assert.deepEqual(findCircles(unitGraph(RULES)), []);
});

describe("the checks themselves", () => {
  test("all forms of import are read", () => {
    const text = [
      'import { a, type B } from "./own.ts";',
      "import {\n  c,\n  d,\n} from '#domain/post.ts';",
      'import type { E } from "#store/store.ts";',
      'export type { F } from "../errors.ts";',
      'export * from "../config.ts";',
      'import "#errors";',
      'const g = await import("../house.ts");',
      'type H = import("pg").Pool;',
      'new Worker(new URL("./thread.ts", import.meta.url));',
      '// A comment that says import { x } from "nothing".',
    ].join("\n");
    assert.deepEqual(
      parseImports("src/store/x.ts", text).map(({ target, isTypeOnly }) => target + (isTypeOnly ? "!" : "")),
      [
        "src/store/own.ts",
        "src/domain/post.ts",
        "src/store/store.ts!",
        "src/errors.ts!",
        "src/config.ts",
        "src/errors.ts",
        "src/house.ts",
        "pg",
        "src/store/thread.ts",
      ],
    );
  });

  test("a circle is reported with its path, whatever its length", () => {
    const circles = (...edges: string[]) => findCircles(edges.map((edge) => edge.split(" ") as [string, string]));
    assert.deepEqual(circles("a b", "b c", "a c", "d c"), []);
    assert.deepEqual(circles("a a"), [["a", "a"]]);
    assert.deepEqual(circles("a b", "b c", "c d", "d b"), [["b", "c", "d", "b"]]);
    assert.deepEqual(circles("a b", "b a", "x y", "y z", "z x"), [
      ["a", "b", "a"],
      ["x", "y", "z", "x"],
    ]);
    const typeOnly = parseImports("src/a.ts", 'import type { B } from "./b.ts";').concat(
      parseImports("src/b.ts", 'import { a } from "./a.ts";'),
    );
    assert.deepEqual(findCircles(typeOnly.map(({ file, target }) => [file, target])), [
      ["src/a.ts", "src/b.ts", "src/a.ts"],
    ]);
  });

  test("an import that no rule allows is named, and a type is no value", () => {
    const rules = { low: [], mid: ["low"], "mid/inner": ["low/one.ts!"], tests: ["low", "mid"] };
    const forbidden = (file: string, target: string, isTypeOnly = false) =>
      forbiddenImports(rules, [{ file, target, isTypeOnly }]);
    assert.deepEqual(forbidden("mid/x.ts", "low/one.ts"), []);
    assert.deepEqual(forbidden("tests/z.ts", "mid/inner/y.ts"), ["tests/z.ts imports mid/inner/y.ts"]);
    assert.deepEqual(forbidden("low/one.ts", "mid/x.ts"), ["low/one.ts imports mid/x.ts"]);
    assert.deepEqual(forbidden("mid/x.ts", "mid/inner/y.ts", true), ["mid/x.ts imports types of mid/inner/y.ts"]);
    assert.deepEqual(forbidden("mid/inner/y.ts", "low/one.ts", true), []);
    assert.deepEqual(forbidden("mid/inner/y.ts", "low/one.ts"), ["mid/inner/y.ts imports low/one.ts"]);
    assert.deepEqual(forbidden("mid/inner/y.ts", "low/two.ts", true), ["mid/inner/y.ts imports types of low/two.ts"]);
    assert.deepEqual(forbidden("mid/x.ts", "tests/z.ts"), ["mid/x.ts imports tests/z.ts"]);
    assert.deepEqual(forbidden("mid/x.ts", "node:fs"), []);
    assert.equal(unitOf(rules, "middle/x.ts"), undefined);
    assert.deepEqual(findCircles(unitGraph({ a: ["b/x.ts!"], b: ["a"] })), [["a", "b", "a"]]);
    assert.deepEqual(findCircles(unitGraph({ "src/a": ["testing"], testing: ["src"] })), [
      ["src/a", "testing", "src/a"],
    ]);
  });
});

test("no process loads TypeBox: schemas are built by src/api/schema.ts and checked by src/api/matches-schema.ts", () => {
  const loading = SHIPPED_IMPORTS.filter(({ target, isTypeOnly }) => /^typebox\b/.test(target) && !isTypeOnly);
  assert.deepEqual(
    loading.map(({ file }) => file),
    [],
  );
});

/** The files that these load, by way of others too; `follows` says by which imports. */
function loadedFrom(roots: readonly string[], follows: (one: Import) => boolean): Set<string> {
  const loaded = new Set(roots);
  for (const file of loaded) {
    for (const one of SHIPPED_IMPORTS.filter((own) => own.file === file)) {
      if (!one.isTypeOnly && one.target.endsWith(".ts") && follows(one)) loaded.add(one.target);
    }
  }
  return loaded;
}

test("threads of an import load no endpoint: what serves requests would cost them a quarter of their start", () => {
  const loaded = loadedFrom(["src/serve/store-thread-main.ts", "src/serve/import/parser-main.ts"], () => true);
  assert.ok(loaded.has("src/platforms/shortvideo/importers.ts") && loaded.has("src/store/sqlite/store.ts"));
  assert.deepEqual(
    [...loaded].filter((file) => /\/endpoints\b|^src\/http\//.test(file)),
    [],
  );
});

test("the thread of a task loads endpoints only for what needs them: trends are refreshed twice a minute", () => {
  const loaded = loadedFrom(["src/serve/tasks/task-main.ts"], ({ isStatic }) => isStatic);
  assert.ok(loaded.has("src/serve/open-store.ts"));
  assert.deepEqual(
    [...loaded].filter((file) => /\/endpoints\b|^src\/http\/|registry/.test(file)),
    [],
  );
});

test("the thread that writes loads nothing that reads files, as its parser thread does that", () => {
  const loaded = loadedFrom(["src/serve/store-thread-main.ts"], ({ isStatic }) => isStatic);
  assert.ok(loaded.has("src/import/batch-writer.ts"));
  assert.deepEqual(
    [...loaded].filter((file) => /read-files|read-document|containers\/(documents|open-files)/.test(file)),
    [],
  );
});

test("errors.ts imports nothing", () => {
  assert.deepEqual(
    SHIPPED_IMPORTS.filter(({ file }) => file === "src/errors.ts"),
    [],
  );
});

test("only open-store.ts names a database", () => {
  const named = SHIPPED_IMPORTS.filter(
    ({ file, target }) => /^src\/store\/(?:sqlite|postgres)/.test(target) && !file.startsWith("src/store/"),
  );
  assert.deepEqual([...new Set(named.map(({ file }) => file))], ["src/serve/open-store.ts"]);
});

test("endpoints, shapes and domain touch no node:* and no clock", () => {
  const pure = (file: string) => /^src\/(?:domain|platforms\/[\w-]+\/(?:endpoints|shapes))/.test(file);
  assert.deepEqual(
    SHIPPED_IMPORTS.filter(({ file, target }) => pure(file) && target.startsWith("node:")),
    [],
  );
  for (const file of globSync("src/**/*.ts", { cwd: ROOT }).filter(
    (name) => pure(name) && !name.endsWith(".test.ts"),
  )) {
    assert.doesNotMatch(readFileSync(join(ROOT, file), "utf8"), /\bDate\.now\(|new Date\(\)/, file);
  }
});

test("only import, privacy and serve, which starts them, hold a Writer", () => {
  const holders = globSync("src/**/*.ts", { cwd: ROOT }).filter(
    (file) =>
      !/^src\/(?:store|import|privacy|serve)\/|\.test\.ts$/.test(file) &&
      /\bWriter\b|\.writer\b/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  assert.deepEqual(holders, []);
});

test("nothing that answers requests can dial out", () => {
  const dialers = /^(?:node:)?(?:http|https|http2|net|tls|dgram|dns|undici)(?:$|\/)/;
  const wrong = SHIPPED_IMPORTS.filter(
    ({ file, target, isTypeOnly }) =>
      /^src\/(?:platforms|api|store|search|http)\//.test(file) && dialers.test(target) && !isTypeOnly,
  );
  assert.deepEqual(wrong, []);
  for (const file of globSync("src/{platforms,api,store,search,http}/**/*.ts", { cwd: ROOT })) {
    assert.doesNotMatch(readFileSync(join(ROOT, file), "utf8"), /(?<![\w.])fetch\(/, file);
  }
});

test("no drawers: every file says what it holds", () => {
  const drawers = FILES.filter((file) =>
    /(?:^|\/)(?:utils?|helpers?|common|misc|shared|manager|base|types|index)(?:\.ts$|\/)/.test(file),
  );
  assert.deepEqual(drawers, []);
});

/**
 * Not concerns: the language of statements, and what goes through all concerns, which is a unit of work and a copy of the
 * whole store.
 */
const GROUND = ["sql", "write", "copy"];
const ENGINES = ["sqlite", "postgres"];
const NO_CONCERNS = new Set([...GROUND, ...ENGINES]);
const STORE_FILES = FILES.filter((file) => file.startsWith("src/store/") && !isTest(file));
const folderOf = (file: string) => file.split("/")[2] ?? "";
const CONCERNS = new Set(
  STORE_FILES.map(folderOf).filter((folder) => !folder.endsWith(".ts") && !NO_CONCERNS.has(folder)),
);
const isOfConcern = (file: string) => file.startsWith("src/store/") && CONCERNS.has(folderOf(file));
const isOf = (engine: string) => (file: string) =>
  file.startsWith(`src/store/${engine}/`) || (file.startsWith("src/store/") && file.endsWith(`${engine}.ts`));

describe("the concerns of the store", () => {
  test("each has a folder, and the first level has at most 25 entries", () => {
    assert.ok(["trends", "search", "tokens"].every((concern) => CONCERNS.has(concern)));
    assert.ok(new Set(STORE_FILES.map(folderOf)).size <= 25);
  });

  test("each imports of another only its port and its tables", () => {
    const inside = SHIPPED_IMPORTS.filter(
      ({ file, target }) =>
        isOfConcern(file) &&
        isOfConcern(target) &&
        folderOf(file) !== folderOf(target) &&
        !/\/(?:port|tables)\.ts$/.test(target),
    );
    assert.deepEqual(
      inside.map(({ file, target }) => `${file} imports ${target}`),
      [],
    );
  });

  test("each with verbs has a line in the list that erasures and other operations on everything go through", () => {
    const listed = SHIPPED_IMPORTS.filter(({ file }) => file === "src/store/write/concerns.ts");
    assert.deepEqual(
      listed.flatMap(({ target }) => (isOfConcern(target) ? [target] : [])).toSorted(),
      STORE_FILES.filter((file) => file.endsWith("/concern.ts") && isOfConcern(file)),
    );
    assert.ok(listed.length > 10);
  });

  test("a file of one engine is imported by files of this engine alone", () => {
    for (const engine of ENGINES) {
      const strangers = SHIPPED_IMPORTS.filter(
        ({ file, target }) => isOf(engine)(target) && !isOf(engine)(file) && file !== "src/serve/open-store.ts",
      );
      assert.deepEqual(
        strangers.map(({ file, target }) => `${file} imports ${target}`),
        [],
      );
    }
  });
});
