/** Files that are shipped beside the code: the OpenAPI document, the pages below /docs/, the console. */
import { readFile } from "node:fs/promises";

/** The package's root from here: in a clone, and from the compiled code, which is one folder deeper. */
const ROOTS = [new URL("../../", import.meta.url), new URL("../../../", import.meta.url)];

export async function readPackageFile(path: string): Promise<string> {
  const [first, ...others] = await Promise.allSettled(ROOTS.map((root) => readFile(new URL(path, root), "utf8")));
  const found = [first, ...others].find((result) => result?.status === "fulfilled");
  if (found?.status === "fulfilled") return found.value;
  throw new Error(`${path} is missing in the installation`);
}
