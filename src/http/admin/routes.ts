/** All routes below /admin/. */
import type { AdminRoute } from "./admin-route.ts";
import { createDemo } from "./routes/create-demo.ts";
import { createErasure } from "./routes/create-erasure.ts";
import { createSession } from "./routes/create-session.ts";
import { createToken } from "./routes/create-token.ts";
import { createWatch } from "./routes/create-watch.ts";
import { deleteRetention } from "./routes/delete-retention.ts";
import { deleteSession } from "./routes/delete-session.ts";
import { deleteWatch } from "./routes/delete-watch.ts";
import { dismissJob } from "./routes/dismiss-job.ts";
import { getJob } from "./routes/get-job.ts";
import { getOverview } from "./routes/get-overview.ts";
import { getRetention } from "./routes/get-retention.ts";
import { getSession } from "./routes/get-session.ts";
import { getUsage } from "./routes/get-usage.ts";
import { listAudit } from "./routes/list-audit.ts";
import { listErasures } from "./routes/list-erasures.ts";
import { listErrors } from "./routes/list-errors.ts";
import { listJobs } from "./routes/list-jobs.ts";
import { listSources } from "./routes/list-sources.ts";
import { listTokens } from "./routes/list-tokens.ts";
import { listWatches } from "./routes/list-watches.ts";
import { putRetention } from "./routes/put-retention.ts";
import { revokeToken } from "./routes/revoke-token.ts";
import { rotateToken } from "./routes/rotate-token.ts";
import { pauseWatch, resumeWatch } from "./routes/set-watch-state.ts";
import { undoJob } from "./routes/undo-job.ts";

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  createSession,
  getSession,
  deleteSession,
  getOverview,
  createDemo,
  listJobs,
  getJob,
  dismissJob,
  undoJob,
  listTokens,
  createToken,
  rotateToken,
  revokeToken,
  getUsage,
  listErrors,
  listErasures,
  createErasure,
  getRetention,
  putRetention,
  deleteRetention,
  listWatches,
  createWatch,
  pauseWatch,
  resumeWatch,
  deleteWatch,
  listSources,
  listAudit,
];
