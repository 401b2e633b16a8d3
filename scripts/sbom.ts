/**
 * `npm run -s sbom > sbom.json`: what an installation consists of, as CycloneDX 1.6, read from package-lock.json. Development
 * dependencies are left out unless `--dev` is given. The same lock file gives the same document.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

interface LockedPackage {
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

const MODULES = "node_modules/";

export function createSbom({ name, version, packages }: LockFile, withDev: boolean): object {
  const { "": root, ...installed } = packages;
  const shipped = Object.entries(installed).filter(([, { dev }]) => withDev || dev !== true);
  const paths = new Set(shipped.map(([path]) => path));
  const refOf = (path: string) => purlOf(nameOf(path), packages[path]?.version ?? "");
  const dependsOn = (path: string, { dependencies, optionalDependencies }: LockedPackage) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .flatMap((dependency) => resolveFrom(path, dependency, paths) ?? [])
      .map(refOf)
      .toSorted();
  const self = { type: "application", "bom-ref": purlOf(name, version), name, version, purl: purlOf(name, version) };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: self },
    components: shipped.map(([path, locked]) => ({
      type: "library",
      "bom-ref": refOf(path),
      name: nameOf(path),
      version: locked.version,
      scope: locked.dev === true ? "excluded" : locked.optional === true ? "optional" : "required",
      ...(locked.integrity !== undefined && { hashes: hashesOf(locked.integrity) }),
      ...(locked.license !== undefined && { licenses: [{ expression: locked.license }] }),
      purl: refOf(path),
    })),
    dependencies: [
      { ref: self["bom-ref"], dependsOn: root === undefined ? [] : dependsOn("", root) },
      ...shipped.map(([path, locked]) => ({ ref: refOf(path), dependsOn: dependsOn(path, locked) })),
    ],
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(MODULES) + MODULES.length);
}

/** A package URL: the scope is a namespace, whose @ is encoded. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** As Node finds it: in the folder of the dependent, or in one above. */
function resolveFrom(path: string, dependency: string, installed: ReadonlySet<string>): string | null {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${MODULES}`)))) {
    const candidate = folder === "" ? MODULES + dependency : `${folder}/${MODULES}${dependency}`;
    if (installed.has(candidate)) return candidate;
    if (folder === "") return null;
  }
}

/** `sha512-<base64>`: CycloneDX has hexadecimal digits. */
function hashesOf(integrity: string): { alg: string; content: string }[] {
  return integrity.split(" ").map((hash) => {
    const [algorithm = "", digest = ""] = hash.split(/-(.*)/s);
    return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") };
  });
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package-lock.json"), "utf8")) as LockFile;
  console.log(JSON.stringify(createSbom(lock, process.argv.includes("--dev")), null, 2));
}
