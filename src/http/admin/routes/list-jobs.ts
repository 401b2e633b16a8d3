import { integerParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { sumJobFiles } from "#import/job-totals.ts";
import { adminRoute } from "../admin-route.ts";
import { JobSummary, summarizeJob } from "../job-summary.ts";

export const listJobs = adminRoute({
  method: "GET",
  path: "/admin/jobs",
  access: ["admin"],
  summary: "Imports, newest first",
  description: "Imports from the command line, uploads and pushes, with what each of them brought.",
  input: Type.Object({
    limit: integerParameter({ minimum: 1, maximum: 100, default: 50, description: "Number of imports." }),
  }),
  output: wireObject({ jobs: Type.Array(JobSummary) }),
  async handle({ services: { store } }, { limit }) {
    const jobs = [];
    // One after the other: an import of a folder may have thousands of files.
    for (const job of await store.jobs.listJobs(limit)) {
      jobs.push(summarizeJob(job, await sumJobFiles(store.jobs, job.id)));
    }
    return { body: { jobs } };
  },
});
