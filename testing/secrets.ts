import { join } from "node:path";
import { loadPepper, type Secrets } from "#auth/secrets.ts";

/** Those of a service that has its pepper in its data directory. */
export function openSecrets(dataDir: string): Secrets {
  return loadPepper(join(dataDir, "pepper"));
}
