import type { ReportKind } from "#domain/job.ts";
import { bigint, columnNames, defineTable, nullable, oneOf, opaque, type RowOf, text } from "#store/sql/table.ts";

/** Which job touched which record, in the order of the touches, and what was stored before: see statements.ts. */
export const JOB_RECORDS = defineTable("job_records", {
  columns: {
    platform: text,
    kind: oneOf<ReportKind>(),
    key: text,
    /**
     * From one, in the order of the touches. A job that touched what a live source had fetched has another row with the
     * negative number: the imported state before it.
     */
    number: bigint,
    job_id: text,
    /** An `Image`. */
    image: nullable(opaque),
    /** JSON of images by capture time; null if the record's points were not told apart. */
    points: nullable(opaque),
  },
  key: ["platform", "kind", "key", "number"],
  distributedBy: "key",
  // In the order in which an undo and retention read the touches of a job, which SQLite's index has by its key.
  indexes: { by_job: { sqlite: "(job_id)", postgres: "(job_id, platform, kind, key, number)" } },
  postgres: { withoutStatistics: ["image", "points"] },
});
export type JobRecordRow = RowOf<typeof JOB_RECORDS>;

export const TOUCH_COLUMNS = columnNames(JOB_RECORDS).join(", ");
