import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { findHome } from "./home.ts";

const CWD = resolve("/home/ada/project");
const INSTALLED = { env: {}, cwd: CWD, platform: "linux", isClone: false } as const;

test("TRIPTYCH_HOME wins, relative to the current directory", () => {
  assert.equal(findHome({ ...INSTALLED, isClone: true, env: { TRIPTYCH_HOME: "elsewhere" } }), join(CWD, "elsewhere"));
});

test("a clone uses the current directory, an installed package the system's place for data of a user", () => {
  assert.equal(findHome({ ...INSTALLED, isClone: true }), CWD);
  assert.equal(findHome(INSTALLED), join(homedir(), ".local", "share", "triptych"));
  assert.equal(findHome({ ...INSTALLED, env: { XDG_DATA_HOME: "/xdg", TRIPTYCH_HOME: "" } }), join("/xdg", "triptych"));
  assert.equal(
    findHome({ ...INSTALLED, env: { XDG_DATA_HOME: "relative" } }),
    join(homedir(), ".local", "share", "triptych"),
  );
  assert.equal(
    findHome({ ...INSTALLED, platform: "darwin" }),
    join(homedir(), "Library", "Application Support", "triptych"),
  );
  assert.equal(
    findHome({ ...INSTALLED, platform: "win32", env: { LOCALAPPDATA: "/local" } }),
    join("/local", "triptych"),
  );
  assert.equal(findHome({ ...INSTALLED, platform: "win32" }), join(homedir(), "AppData", "Local", "triptych"));
});

test("an installed package uses ./data if a store is there, and leaves the data of other projects alone", (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "triptych-home-"));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, "data"));
  writeFileSync(join(cwd, "data", "measurements.csv"), "");
  assert.notEqual(findHome({ ...INSTALLED, cwd }), cwd);
  writeFileSync(join(cwd, "data", "pepper"), "");
  assert.equal(findHome({ ...INSTALLED, cwd }), cwd);
});
