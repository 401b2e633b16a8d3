import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { shownState } from "#domain/job.ts";
import { ApiError } from "#errors";
import { sumJobFiles } from "#import/job-totals.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { JobSummary, summarizeJob } from "../job-summary.ts";

export const dismissJob = adminRoute({
  method: "POST",
  path: "/admin/jobs/{id}/dismiss",
  access: ["admin"],
  summary: "End an interrupted import",
  description:
    "The records that it brought stay, and can be undone. The same command then starts a new import instead of resuming this one. An import on which a process works is a `conflict`.",
  input: Type.Object({ id: textParameter("Id of the import.") }),
  output: JobSummary,
  async handle(ctx, { id }) {
    const { store, audit } = ctx.services;
    const isDismissed = await store.jobs.dismissJob(id, Date.now());
    const job = await store.jobs.getJob(id);
    if (job === null) throw new ApiError("job_not_found", `no import has the id ${id}`);
    if (!isDismissed) {
      throw new ApiError("conflict", `import ${id} is ${shownState(job)}; only an interrupted one can be dismissed`);
    }
    await audit.record({ actor: requireActor(ctx).keyId, action: "import.dismiss", details: { job: id } });
    return { body: summarizeJob(job, await sumJobFiles(store.jobs, id)) };
  },
});
