import { choiceParameter, integerParameter, textParameter } from "#api/parameters.ts";
import { refusalCode, refusalText } from "#api/refusals.ts";
import { Type } from "#api/schema.ts";
import { NullableInteger, NullableText, wireObject } from "#api/wire.ts";
import type { FileReport as StoredReport, Job, JobFile, NumberedFile } from "#domain/job.ts";
import { ApiError } from "#errors";
import { readJobFiles, sumJobFiles } from "#import/job-totals.ts";
import { isUnrecognised, ProblemGroups } from "#import/problem-groups.ts";
import type { Jobs } from "#store/jobs/port.ts";
import { adminRoute } from "../admin-route.ts";
import { JobSummary, KindCountsSchema, shownFileName, summarizeJob } from "../job-summary.ts";

const Reasons = Type.Array(wireObject({ code: NullableText, reason: Type.String(), count: Type.Integer() }));

const Counts = {
  formats: Type.Array(wireObject({ format: Type.String(), documents: Type.Integer() })),
  records: Type.Array(wireObject({ kind: Type.String(), ...KindCountsSchema })),
  refused: Reasons,
  skipped: Reasons,
};

const FileReport = wireObject({
  name: Type.String(),
  state: Type.Enum(["running", "done"]),
  documents: Type.Integer({ description: "Documents read so far." }),
  ...Counts,
});

/** Names of files listed for each reason. */
const MAX_NAMED = 100;

const Problems = Type.Array(
  wireObject({
    code: NullableText,
    reason: Type.String(),
    count: Type.Integer({ description: "Records and files that have it." }),
    files: Type.Integer({ description: "Number of files that have it." }),
    names: Type.Array(Type.String(), { description: `The first ${MAX_NAMED} of the files, without \`folder\`.` }),
  }),
);

export const getJob = adminRoute({
  method: "GET",
  path: "/admin/jobs/{id}",
  access: ["admin"],
  summary: "One import: a report per file, and what was refused",
  description:
    "The sums of the import, its problems by reason with the most frequent first, and its files in the order in which they were started. Files and refused records are paged: for the next page, send `nextFile` as `fromFile`, or `nextReject` as `after`.",
  input: Type.Object({
    id: textParameter("Id of the import."),
    after: integerParameter({ default: 0, description: "Number of the last refused record of the previous page." }),
    fromFile: integerParameter({ default: 0, description: "Number of the first file." }),
    listed: choiceParameter(["all", "problems"], {
      default: "all",
      description: "`problems`: only files with refused records, or in which nothing was recognised.",
    }),
    limit: integerParameter({
      minimum: 1,
      maximum: 1_000,
      default: 100,
      description: "Number of files, and of refused records.",
    }),
  }),
  output: wireObject({
    job: JobSummary,
    total: wireObject(Counts),
    folder: Type.String({ description: "The folder that all files are in, with the slash at its end; else empty." }),
    problems: Problems,
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
  async handle({ services: { store } }, { id, after, fromFile, listed, limit }) {
    const job = await store.jobs.getJob(id);
    if (job === null) throw new ApiError("job_not_found", `no import has the id ${id}`);
    const groups = new ProblemGroups(MAX_NAMED);
    const [totals, files, rejects] = await Promise.all([
      sumJobFiles(store.jobs, id, ({ name, state, report }) =>
        groups.add({ ...report, name: shownFileName(job, name), state }),
      ),
      listed === "all"
        ? store.jobs.listJobFilePage(id, fromFile, limit + 1)
        : listProblemFiles(store.jobs, id, fromFile, limit + 1),
      store.jobs.listRejects(id, after, limit + 1),
    ]);
    const page = rejects.slice(0, limit);
    return {
      body: {
        job: summarizeJob(job, totals),
        total: toCounts(totals.report),
        folder: groups.folder,
        problems: groups.list().map(({ code, ...problem }) => ({
          code: code === null ? null : refusalCode(code),
          reason: code === null ? "nothing recognised" : refusalText(code),
          ...problem,
        })),
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

async function listProblemFiles(jobs: Jobs, id: string, from: number, limit: number): Promise<NumberedFile[]> {
  const files: NumberedFile[] = [];
  for await (const file of readJobFiles(jobs, id, from)) {
    if (hasProblem(file)) files.push(file);
    if (files.length === limit) break;
  }
  return files;
}

function hasProblem({ state, report }: JobFile): boolean {
  return Object.keys(report.refused).length > 0 || isUnrecognised({ ...report, state });
}

function toFileReport(job: Job, { name, state, position, report }: JobFile) {
  return { name: shownFileName(job, name), state, documents: position, ...toCounts(report) };
}

function toCounts({ formats, records, refused, skipped }: StoredReport) {
  return {
    formats: Object.entries(formats).map(([format, documents]) => ({ format, documents })),
    records: Object.entries(records).map(([kind, counts]) => ({ kind, ...counts })),
    refused: toReasons(refused),
    skipped: toReasons(skipped),
  };
}

function toReasons(counts: Record<string, number>) {
  return Object.entries(counts).map(([reason, count]) => ({
    code: refusalCode(reason),
    reason: refusalText(reason),
    count,
  }));
}
