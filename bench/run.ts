/** `npm run bench -- <name> [options]`: measurements, each starting all that it needs. Figures go to bench/results/. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

const BENCHES: Record<string, () => Promise<{ run: (options: Record<string, string>) => Promise<object> }>> = {
  import: () => import("./import.ts"),
  search: () => import("./search.ts"),
  scale: () => import("./scale.ts"),
  http: () => import("./http.ts"),
  growth: () => import("./growth.ts"),
  peers: () => import("./peers.ts"),
  docs: () => import("./docs.ts"),
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
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
};
const { run } = await load();
const results = await run(options);
const folder = join(import.meta.dirname, "results");
mkdirSync(folder, { recursive: true });
const file = join(folder, `${name}.json`);
writeFileSync(file, `${JSON.stringify({ bench: name, options, machine, results }, null, 2)}\n`);
console.log(`written to ${file}`);
