import { choiceParameter, dayParameter, textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { NullableText, wireObject } from "#api/wire.ts";
import { DAY_MS, toIsoDate } from "#domain/time.ts";
import { adminRoute } from "../admin-route.ts";

const DEFAULT_DAYS = 30;

export const getUsage = adminRoute({
  method: "GET",
  path: "/admin/usage",
  access: ["admin"],
  summary: "Requests per token, day and operation",
  description:
    "Every request with a valid token is counted, whatever its status. Counts are kept for 400 days; those of other nodes arrive within 5 seconds.",
  input: Type.Object({
    since: dayParameter("First UTC day; 30 days ago by default."),
    keyId: Type.Optional(textParameter("Key id of one token.")),
    by: choiceParameter(["day", "operation", "both"], {
      description: "Grouping of the requests beside the token; the other field is then null.",
      default: "day",
    }),
  }),
  output: wireObject({
    since: Type.String(),
    usage: Type.Array(
      wireObject({
        keyId: Type.String(),
        label: NullableText,
        day: NullableText,
        operation: NullableText,
        requests: Type.Integer(),
        clientErrors: Type.Integer({ description: "Requests with a 4xx status." }),
        serverErrors: Type.Integer({ description: "Requests with a 5xx status." }),
      }),
    ),
  }),
  async handle({ services, now }, { since, keyId, by }) {
    await services.flushUsage();
    const first = since ?? toIsoDate(now - (DEFAULT_DAYS - 1) * DAY_MS);
    const [rows, labels] = await Promise.all([
      services.store.usage.listUsage({ since: first, keyId: keyId ?? null, by }),
      services.tokens.labels(),
    ]);
    return {
      body: {
        since: first,
        usage: rows.map((row) => ({
          keyId: row.keyId,
          label: labels.get(row.keyId) ?? null,
          day: row.day || null,
          operation: row.operation || null,
          requests: row.requests,
          clientErrors: row.clientErrors,
          serverErrors: row.serverErrors,
        })),
      },
    };
  },
});
