import { integerParameter, textParameter } from "#api/parameters.ts";
import { refusalCode, refusalText } from "#api/refusals.ts";
import { Type } from "#api/schema.ts";
import { NullableInteger, NullableText, wireObject } from "#api/wire.ts";
import type { Job, JobFile } from "#domain/job.ts";
import { ApiError } from "#errors";
import { sumJobFiles } from "#import/job-totals.ts";
import { adminRoute } from "../admin-route.ts";
import { JobSummary, KindCountsSchema, shownFileName, summarizeJob } from "../job-summary.ts";

const Reasons = Type.Array(wireObject({ code: NullableText, reason: Type.String(), count: Type.Integer() }));

const FileReport = wireObject({
  name: Type.String(),
  state: Type.Enum(["running", "done"]),
  documents: Type.Integer({ description: "Documents read so far." }),
  formats: Type.Array(wireObject({ format: Type.String(), documents: Type.Integer() })),
  records: Type.Array(wireObject({ kind: Type.String(), ...KindCountsSchema })),
  refused: Reasons,
  skipped: Reasons,
});

export const getJob = adminRoute({
  method: "GET",
  path: "/admin/jobs/{id}",
  access: ["admin"],
  summary: "One import: a report per file, and what was refused",
  description:
    "Files in the order in which they were started. Both lists are paged: for the next page, send `nextFile` as `fromFile`, or `nextReject` as `after`.",
  input: Type.Object({
    id: textParameter("Id of the import."),
    after: integerParameter({ default: 0, description: "Number of the last refused record of the previous page." }),
    fromFile: integerParameter({ default: 0, description: "Number of the first file." }),
    limit: integerParameter({
      minimum: 1,
      maximum: 1_000,
      default: 100,
      description: "Number of files, and of refused records.",
    }),
  }),
  output: wireObject({
    job: JobSummary,
    files: Type.Array(FileReport),
    nextFile: NullableInteger,
    rejects: Type.Array(
      wireObject({
        number: Type.Integer(),
        file: Type.String(),
        line: NullableInteger,
        code: NullableText,
        reason: Type.String(),
      }),
    ),
    nextReject: NullableInteger,
  }),
  async handle({ services: { store } }, { id, after, fromFile, limit }) {
    const job = await store.jobs.getJob(id);
    if (job === null) throw new ApiError("job_not_found", `no import has the id ${id}`);
    const [totals, files, rejects] = await Promise.all([
      sumJobFiles(store.jobs, id),
      store.jobs.listJobFilePage(id, fromFile, limit + 1),
      store.jobs.listRejects(id, after, limit + 1),
    ]);
    const page = rejects.slice(0, limit);
    return {
      body: {
        job: summarizeJob(job, totals),
        files: files.slice(0, limit).map((file) => toFileReport(job, file)),
        nextFile: files[limit]?.number ?? null,
        rejects: page.map(({ number, file, line, reason }) => ({
          number,
          file: shownFileName(job, file),
          line,
          code: refusalCode(reason),
          reason: refusalText(reason),
        })),
        nextReject: rejects.length > limit ? (page.at(-1)?.number ?? null) : null,
      },
    };
  },
});

function toFileReport(job: Job, { name, state, position, report }: JobFile) {
  return {
    name: shownFileName(job, name),
    state,
    documents: position,
    formats: Object.entries(report.formats).map(([format, documents]) => ({ format, documents })),
    records: Object.entries(report.records).map(([kind, counts]) => ({ kind, ...counts })),
    refused: toReasons(report.refused),
    skipped: toReasons(report.skipped),
  };
}

function toReasons(counts: Record<string, number>) {
  return Object.entries(counts).map(([reason, count]) => ({
    code: refusalCode(reason),
    reason: refusalText(reason),
    count,
  }));
}
