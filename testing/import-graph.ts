/** The imports between the project's own files, read from their text, and what is wrong with them. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");

export interface Import {
  file: string;
  /** A path from the repository's root, or the name of a package or of a module of Node. */
  target: string;
  isTypeOnly: boolean;
  /** Loaded with the file, and not only when its code runs. */
  isStatic: boolean;
}

/** Static imports and re-exports, `import()` of a value or a type, and files started as a thread or process. */
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|\bnew URL\(\s*["'](\.{1,2}\/[^"']+\.ts)["'],\s*import\.meta\.url/gm;

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

export function parseImports(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, fixed, dynamic, started]) => ({
    file,
    target: resolveTarget(file, fixed ?? dynamic ?? started ?? ""),
    isTypeOnly: type !== undefined,
    isStatic: fixed !== undefined,
  }));
}

/** Every TypeScript file of the project, tests included. */
export function sourceFiles(): string[] {
  return globSync("*/**/*.{ts,tsx}", { cwd: ROOT, exclude: ["node_modules/**", "dist/**"] }).toSorted();
}

export function readImports(files: readonly string[]): Import[] {
  return files.flatMap((file) => parseImports(file, readFileSync(join(ROOT, file), "utf8")));
}

/**
 * For each unit (a folder or a file), the units and files that it may import beside itself. A trailing `!` allows types
 * only. A file belongs to the longest unit that contains it, and to no other; a path that is no unit means all below it.
 */
export type ImportRules = Readonly<Record<string, readonly string[]>>;

const contains = (path: string, file: string) => file === path || file.startsWith(`${path}/`);

export function unitOf(rules: ImportRules, file: string): string | undefined {
  return Object.keys(rules)
    .filter((unit) => contains(unit, file))
    .toSorted((one, other) => other.length - one.length)[0];
}

function covers(rules: ImportRules, entry: string, file: string): boolean {
  const path = entry.replace("!", "");
  return path in rules ? unitOf(rules, file) === path : contains(path, file);
}

/** The imports of our own files that no rule allows. */
export function forbiddenImports(rules: ImportRules, imports: readonly Omit<Import, "isStatic">[]): string[] {
  return imports
    .filter(({ file, target, isTypeOnly }) => {
      const [from, to] = [unitOf(rules, file), unitOf(rules, target)];
      if (from === undefined || to === undefined || from === to) return false;
      return !rules[from]?.some((entry) => covers(rules, entry, target) && (isTypeOnly || !entry.endsWith("!")));
    })
    .map(({ file, target, isTypeOnly }) => `${file} imports ${isTypeOnly ? "types of " : ""}${target}`);
}

/** Which unit may import which, by the rules: without a circle here there is none between the units. */
export function unitGraph(rules: ImportRules): [from: string, to: string][] {
  return Object.entries(rules).flatMap(([unit, allowed]) =>
    allowed.flatMap((entry): [string, string][] => {
      const file = unitOf(rules, entry.replace("!", ""));
      const units = Object.keys(rules).filter((other) => other === file || covers(rules, entry, other));
      return units.filter((other) => other !== unit).map((other) => [unit, other]);
    }),
  );
}

/** A shortest way round, as `["a", "b", "a"]`, for each node on a circle that is on none reported before. */
export function findCircles(edges: Iterable<readonly [from: string, to: string]>): string[][] {
  const graph = new Map<string, string[]>();
  for (const [from, to] of edges) graph.set(from, [...(graph.get(from) ?? []), to]);
  const circles: string[][] = [];
  const reported = new Set<string>();
  for (const start of graph.keys()) {
    const circle = reported.has(start) ? null : shortestWayBack(graph, start);
    if (circle === null) continue;
    circles.push(circle);
    for (const node of circle) reported.add(node);
  }
  return circles;
}

/** Breadth first, from a node to itself; null if there is no way. */
function shortestWayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const seen = new Set<string>();
  const ways = [[start]];
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? "") ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
