/** What the handlers of admin routes work with. */
import type { Store } from "#store/store.ts";
import type { CachedSummary } from "./cached-summary.ts";

export interface AdminServices {
  store: Pick<Store, "jobs">;
  summary: CachedSummary;
  platforms: readonly string[];
}
