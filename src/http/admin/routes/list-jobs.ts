import { integerParameter, textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { NullableText, wireObject } from "#api/wire.ts";
import { sumJobFiles } from "#import/job-totals.ts";
import { adminRoute } from "../admin-route.ts";
import { JobSummary, summarizeJob } from "../job-summary.ts";

export const listJobs = adminRoute({
  method: "GET",
  path: "/admin/jobs",
  access: ["admin"],
  summary: "Imports, newest first",
  description:
    "Imports from the command line, uploads and pushes, with what each of them brought. For older ones, send `next` as `before`; it is null at the end.",
  input: Type.Object({
    limit: integerParameter({ minimum: 1, maximum: 100, default: 50, description: "Number of imports." }),
    before: Type.Optional(textParameter("Id of an import: lists those that come after it.")),
  }),
  output: wireObject({ jobs: Type.Array(JobSummary), next: NullableText }),
  async handle({ services: { store } }, { limit, before }) {
    const found = await store.jobs.listJobs(limit + 1, before);
    const shown = found.slice(0, limit);
    const jobs = [];
    // One after the other: an import of a folder may have thousands of files.
    for (const job of shown) jobs.push(summarizeJob(job, await sumJobFiles(store.jobs, job.id)));
    return { body: { jobs, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null } };
  },
});
