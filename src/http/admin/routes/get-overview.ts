import { nullable, NullableText, wireObject } from "#api/wire.ts";
import { Type } from "#api/schema.ts";
import { dayOf, startOfDay, toIsoDate, toIsoTime } from "#domain/time.ts";
import { sumJobFiles } from "#import/job-totals.ts";
import type { CaptureDay } from "#store/store.ts";
import { adminRoute } from "../admin-route.ts";
import { NullableJobSummary, summarizeJob } from "../job-summary.ts";

const DAYS = 30;

const Counted = { platform: Type.String(), kind: Type.String(), count: Type.Integer() };

export const getOverview = adminRoute({
  method: "GET",
  path: "/admin/overview",
  access: ["admin"],
  summary: "What the store holds",
  description:
    "Records by platform and kind, by source, and by the day of their newest capture, with the state of imports. Counts are some seconds old on large stores: `countedAt` says when they were made.",
  input: Type.Object({}),
  output: wireObject({
    countedAt: Type.String({ description: "ISO 8601." }),
    bytes: Type.Integer({ description: "Size of the store." }),
    newestCapture: NullableText,
    records: Type.Array(wireObject(Counted)),
    sources: Type.Array(
      wireObject({
        source: Type.String({ description: "The tool that the records were captured with." }),
        ...Counted,
        oldestCapture: nullable(
          Type.String({ description: "ISO 8601, if known; of each record, the newest capture counts." }),
        ),
        newestCapture: nullable(Type.String({ description: "ISO 8601, if known." })),
      }),
    ),
    growth: Type.Array(wireObject({ day: Type.String(), platform: Type.String(), count: Type.Integer() }), {
      description: "Records by the UTC day of their newest capture: the last 30 days of every platform, oldest first.",
    }),
    jobs: wireObject({
      running: Type.Integer(),
      waiting: Type.Integer({ description: "Uploads whose turn has not come." }),
      interrupted: Type.Integer(),
      done: Type.Integer(),
      dismissed: Type.Integer(),
      undone: Type.Integer(),
      newest: NullableJobSummary,
    }),
  }),
  async handle({ services: { store, summary, platforms }, now }) {
    const names = platforms.map(({ name }) => name);
    const [held, jobs, [newest]] = await Promise.all([
      summary.get(now),
      store.jobs.countJobs(),
      store.jobs.listJobs(1),
    ]);
    return {
      body: {
        countedAt: toIsoTime(held.countedAt),
        bytes: held.bytes,
        newestCapture: formatCapture(Math.max(0, ...held.sources.map((source) => source.newestCapture))),
        records: Object.entries(held.records).flatMap(([platform, kinds]) =>
          Object.entries(kinds).map(([kind, count]) => ({ platform, kind, count })),
        ),
        sources: held.sources.map(({ source, platform, kind, records, oldestCapture, newestCapture }) => ({
          source,
          platform,
          kind,
          count: records,
          oldestCapture: formatCapture(oldestCapture),
          newestCapture: formatCapture(newestCapture),
        })),
        growth: fillDays(held.captureDays, names, held.countedAt),
        jobs: {
          ...jobs,
          newest: newest === undefined ? null : summarizeJob(newest, await sumJobFiles(store.jobs, newest.id)),
        },
      },
    };
  },
});

/** 0 is unknown. */
function formatCapture(ms: number): string | null {
  return ms === 0 ? null : toIsoTime(ms);
}

/** Every platform has a row for every day. */
function fillDays(captured: readonly CaptureDay[], platforms: readonly string[], now: number) {
  const counts = new Map(captured.map(({ platform, day, records }) => [`${platform} ${day}`, records]));
  const days = Array.from({ length: DAYS }, (_, index) => dayOf(now) - DAYS + 1 + index);
  return days.flatMap((day) =>
    platforms.map((platform) => ({
      day: toIsoDate(startOfDay(day)),
      platform,
      count: counts.get(`${platform} ${day}`) ?? 0,
    })),
  );
}
