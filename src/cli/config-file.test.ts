import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { ConfigError, readConfig, SETTINGS } from "#config";
import { CONFIG_FILE, parseConfigFile, readConfigFile } from "./config-file.ts";

const PATH = resolve("/srv/triptych", CONFIG_FILE);
const parse = (value: unknown) => Object.fromEntries(parseConfigFile(PATH, JSON.stringify(value)));

test("values become what the environment would have, and paths are relative to the file", () => {
  assert.deepEqual(
    parse({ PORT: 9000, DEMO: false, CORS_ORIGINS: ["https://a.example", "https://b.example"], DATA_DIR: "store" }),
    {
      PORT: "9000",
      DEMO: "off",
      CORS_ORIGINS: "https://a.example,https://b.example",
      DATA_DIR: resolve("/srv/triptych/store"),
    },
  );
});

test("an unknown name, a misplaced one, a wrong type and broken JSON are told with the file", () => {
  const fails = (text: string, message: RegExp) =>
    assert.throws(
      () => parseConfigFile(PATH, text),
      (error) => error instanceof ConfigError && error.message.startsWith(PATH) && message.test(error.message),
    );
  fails('{"PROT": 1}', /unknown setting PROT; did you mean PORT\?$/);
  fails('{"constructor": 1}', /unknown setting constructor; docs\/configuration.md/);
  fails('{"TRIPTYCH_HOME": "/x"}', /set it in the environment$/);
  fails('{"PORT": {"a": 1}}', /PORT must be a string, number, boolean or list of strings$/);
  fails('{"PORT": 1,}', /is not valid JSON/);
  fails("[1]", /must have an object of settings/);
});

test("a whole number has the bounds that its message tells", () => {
  let count = 0;
  for (const setting of SETTINGS) {
    const { name } = setting;
    const check = (value: string) => setting.check(value);
    const [, from, to] = /^must be a whole number from (\d+) to (\d+)/.exec(check("-1") ?? "") ?? [];
    if (from === undefined || to === undefined) continue;
    count++;
    for (const value of [from, to]) assert.equal(check(value), null, `${name} ${value}`);
    for (const value of [Number(from) - 1, Number(to) + 1])
      assert.notEqual(check(`${value}`), null, `${name} ${value}`);
  }
  assert.ok(count > 10);
});

test("an origin has no path, not even a slash", () => {
  const read = (origins: string) => readConfig({ CORS_ORIGINS: origins }).corsOrigins;
  assert.deepEqual(read("https://a.example, http://localhost:5173"), ["https://a.example", "http://localhost:5173"]);
  for (const wrong of ["https://a.example/", "https://a.example/app", "https://A.example", "a.example", "*"])
    assert.throws(() => read(`https://b.example,${wrong}`), ConfigError, wrong);
});

test("the first folder that has a file decides", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-config-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const path of [first, second]) mkdirSync(path);
  assert.equal(readConfigFile([first, second]), null);
  writeFileSync(join(second, CONFIG_FILE), '{"PORT": 2}');
  assert.equal(readConfigFile([first, second])?.path, join(second, CONFIG_FILE));
  writeFileSync(join(first, CONFIG_FILE), '{"PORT": 1}');
  assert.equal(readConfigFile([first, second])?.values.get("PORT"), "1");
});
