/**
 * Loaded into every process and thread of a run, for which starting is a large part of their work. Resolves the project's
 * own imports by package.json's table alone: Node looks at the file system and reads package.json again for each of them.
 * Reads what strip-sources.ts wrote, to the folder that its own URL names: Node loads a compiler into each process that is
 * the first to import a file of TypeScript. Leaves imports of packages, and those of files elsewhere, to Node.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const ROOT = new URL("../../", import.meta.url);
const STRIPPED = new URL(import.meta.url).searchParams.get("stripped");
const { imports } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")) as {
  imports: Record<string, string>;
};

/** The folder or file that each first part of an import stands for: "#store" for "#store/rows.ts". */
const targets = new Map(
  Object.entries(imports).map(([name, path]) => [name.replace("/*", ""), new URL(path.replace("*", ""), ROOT).href]),
);

function locate(specifier: string, parent: string): string | null {
  if (specifier.startsWith("#")) {
    const slash = specifier.indexOf("/");
    const target = targets.get(slash === -1 ? specifier : specifier.slice(0, slash));
    return target === undefined ? null : slash === -1 ? target : target + specifier.slice(slash + 1);
  }
  return specifier.startsWith(".") ? new URL(specifier, parent).href : null;
}

/** Null for what was not stripped: Node then reads the source itself, as in a run of few files, and says what is wrong with it. */
function readStripped(url: string): string | null {
  if (STRIPPED === null || !url.startsWith(ROOT.href)) return null;
  try {
    return readFileSync(`${STRIPPED}/${decodeURIComponent(url.slice(ROOT.href.length))}`, "utf8");
  } catch {
    return null;
  }
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const url = parentURL?.startsWith(ROOT.href) ? locate(specifier, parentURL) : null;
    if (url === null || !url.endsWith(".ts")) return next(specifier, context);
    return { url, format: "module-typescript", shortCircuit: true };
  },
  load(url, context, next) {
    const source = context.format === "module-typescript" ? readStripped(url) : null;
    return source === null ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});
