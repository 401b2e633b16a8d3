import { join } from "node:path";
import { loadOrCreatePepper, type Secrets } from "#auth/secrets.ts";

/** Those of a service that has its pepper in its data directory. */
export function openSecrets(dataDir: string): Secrets {
  return loadOrCreatePepper(join(dataDir, "pepper"));
}
