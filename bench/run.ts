/** `npm run bench -- <name> [--key=value]`: runs one bench, prints its results and writes them to bench/results/. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { printResults, type Result } from "./report.ts";

type Bench = { run: (options: Record<string, string>) => Promise<Result[]> };

const BENCHES: Record<string, () => Promise<Bench>> = {
  http: () => import("./http.ts"),
  search: () => import("./search.ts"),
  import: () => import("./import.ts"),
  export: () => import("./export.ts"),
  scale: () => import("./scale.ts"),
  docs: () => import("./docs.ts"),
  overload: () => import("./overload.ts"),
  live: () => import("./live.ts"),
  peers: () => import("./peers.ts"),
};

const [name = "", ...rest] = process.argv.slice(2);
const load = BENCHES[name];
if (load === undefined) {
  console.error(`name a bench: ${Object.keys(BENCHES).join(", ")}; options are --key=value`);
  process.exit(2);
}
const options = Object.fromEntries(
  rest.map((option) => {
    const [key = "", value = ""] = option.replace(/^--/, "").split("=");
    return [key, value];
  }),
);
const { run } = await load();
const results = await run(options);
printResults(results);
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem() };
const folder = join(import.meta.dirname, "results");
mkdirSync(folder, { recursive: true });
const file = join(folder, `${name}.json`);
writeFileSync(file, `${JSON.stringify({ bench: name, options, machine, results }, null, 2)}\n`);
console.log(`written to ${file}`);
