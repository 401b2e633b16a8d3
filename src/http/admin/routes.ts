/** All routes below /admin/. */
import type { AdminRoute } from "./admin-route.ts";
import { getJob } from "./routes/get-job.ts";
import { getOverview } from "./routes/get-overview.ts";
import { listJobs } from "./routes/list-jobs.ts";

export const ADMIN_ROUTES: readonly AdminRoute[] = [getOverview, listJobs, getJob];
