import { choiceParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { NullableInteger, wireObject } from "#api/wire.ts";
import { RETENTION_KINDS, type RetentionKind } from "#domain/retention.ts";

export const RetentionRule = wireObject({
  source: Type.String({ description: "Empty for all." }),
  kind: Type.String({ description: "Empty for all." }),
  days: NullableInteger,
});

/** Which rule is meant. */
export const RULE_PARAMETERS = {
  source: Type.Optional(Type.String({ maxLength: 200, description: "The tool; absent for all." })),
  kind: choiceParameter(["all", ...RETENTION_KINDS], { description: "Kind of record.", default: "all" }),
};

/** As the store has it. */
export function toKind(kind: RetentionKind | "all"): RetentionKind | "" {
  return kind === "all" ? "" : kind;
}
