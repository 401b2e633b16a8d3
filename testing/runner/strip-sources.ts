/** The project's sources without their types, for all processes of a run: see load-sources.ts. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { ROOT, sourceFiles } from "#testing/import-graph.ts";

export function stripSources(folder: string): void {
  for (const path of sourceFiles().filter((name) => name.endsWith(".ts"))) {
    const source = stripTypes(readFileSync(join(ROOT, path), "utf8"));
    if (source === null) continue;
    const stripped = join(folder, path);
    mkdirSync(dirname(stripped), { recursive: true });
    writeFileSync(stripped, source);
  }
}

/** Null for what cannot be parsed: Node says what is wrong, and where, to those that import it. */
function stripTypes(source: string): string | null {
  try {
    return stripTypeScriptTypes(source);
  } catch {
    return null;
  }
}
