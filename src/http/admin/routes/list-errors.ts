import { choiceParameter, integerParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { NullableText, wireObject } from "#api/wire.ts";
import { toIsoTime } from "#domain/time.ts";
import { adminRoute } from "../admin-route.ts";

export const listErrors = adminRoute({
  method: "GET",
  path: "/admin/errors",
  access: ["admin"],
  summary: "The last failed and refused requests",
  description:
    "Up to 200 requests that failed (5xx) and 200 that were refused (4xx) since this node started, newest first. The log has all of them, and the causes of failures, under the same request ids.",
  input: Type.Object({
    kind: choiceParameter(["all", "failed", "refused"], { description: "5xx, 4xx or both.", default: "all" }),
    limit: integerParameter({ minimum: 1, maximum: 400, default: 100, description: "Number of requests." }),
  }),
  output: wireObject({
    errors: Type.Array(
      wireObject({
        at: Type.String({ description: "ISO 8601." }),
        requestId: Type.String(),
        method: Type.String(),
        path: Type.String({ description: "The route." }),
        status: Type.Integer(),
        code: Type.String(),
        detail: Type.String({ description: "Message that the client got, without secrets." }),
        keyId: NullableText,
      }),
    ),
  }),
  async handle({ services: { errors } }, { kind, limit }) {
    return { body: { errors: errors.list(kind, limit).map(({ at, ...error }) => ({ at: toIsoTime(at), ...error })) } };
  },
});
