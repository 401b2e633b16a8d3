import { Type } from "#api/schema.ts";
import { NullableInteger, NullableText, wireObject } from "#api/wire.ts";
import { toIsoTime } from "#domain/time.ts";
import { adminRoute } from "../admin-route.ts";

export const listSources = adminRoute({
  method: "GET",
  path: "/admin/sources",
  access: ["admin"],
  summary: "Live sources, and what is used of their quota",
  description:
    "All official sources, whether they are on, what all nodes together have used of the quota of the present key, and whether this node has paused one after failures. See docs/live.md.",
  input: Type.Object({}),
  output: wireObject({
    sources: Type.Array(
      wireObject({
        name: Type.String(),
        title: Type.String(),
        platform: Type.String(),
        state: Type.Enum(["on", "off", "incomplete"], { description: "`incomplete` if a setting is missing." }),
        missing: Type.Array(Type.String(), { description: "The settings that are missing." }),
        operations: Type.Array(Type.String(), { description: "The operations that it can fill." }),
        budgets: Type.Array(
          wireObject({
            name: Type.String(),
            title: Type.String({ description: "Such as `units a day`." }),
            used: Type.Integer(),
            left: Type.Integer(),
            limit: Type.Integer(),
            resetsAt: NullableText,
          }),
        ),
        pause: Type.Union(
          [
            wireObject({
              state: Type.Enum(["paused", "rejected"], { description: "`rejected` if the key is not accepted." }),
              reason: Type.String(),
            }),
            Type.Null(),
          ],
          { description: "Null while this node calls it." },
        ),
        calls: wireObject(
          { answered: Type.Integer(), missing: Type.Integer(), failed: Type.Integer(), inProgress: Type.Integer() },
          { description: "Of this node since its start." },
        ),
        retentionDays: NullableInteger,
        terms: Type.String({ description: "Address of its terms." }),
      }),
    ),
  }),
  async handle({ services: { sources }, now }) {
    const status = new Map(sources.status().map((one) => [one.name, one]));
    const listed = await sources.list(now);
    return {
      body: {
        sources: listed.map(({ budgets, ...source }) => {
          const { state, detail, calls, inProgress = 0 } = status.get(source.name) ?? {};
          return {
            ...source,
            budgets: budgets.map(({ resetsInS, ...budget }) => ({
              ...budget,
              left: Math.max(0, budget.limit - budget.used),
              resetsAt: resetsInS === null ? null : toIsoTime(now + resetsInS * 1_000),
            })),
            pause: state === undefined || state === "ready" ? null : { state, reason: detail ?? "" },
            calls: { answered: 0, missing: 0, failed: 0, ...calls, inProgress },
          };
        }),
      },
    };
  },
});
