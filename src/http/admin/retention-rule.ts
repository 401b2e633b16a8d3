import { choiceParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { NullableInteger, nullable, wireObject } from "#api/wire.ts";
import { RETENTION_KINDS, type RetentionKind, type RetentionRule as Rule } from "#domain/retention.ts";
import type { AdminServices } from "./admin-services.ts";

export const RetentionRule = wireObject({
  source: Type.String({ description: "Empty for all." }),
  kind: Type.Enum(["", ...RETENTION_KINDS], { description: "Empty for all." }),
  days: NullableInteger,
});

const Due = Type.Array(wireObject({ kind: Type.String(), count: Type.Integer() }), {
  description: "What would be deleted within the hour, by kind; null without `dryRun`.",
});

export const DryRunResult = { dryRun: Type.Boolean(), due: nullable(Due) };

/** Which rule is meant. */
export const RULE_PARAMETERS = {
  source: Type.Optional(Type.String({ maxLength: 200, description: "The tool; absent for all." })),
  kind: choiceParameter(["all", ...RETENTION_KINDS], { description: "Kind of record.", default: "all" }),
  dryRun: choiceParameter(["true", "false"], { description: "`true` only counts what would go.", default: "false" }),
};

/** As the store has it. */
export function toKind(kind: RetentionKind | "all"): RetentionKind | "" {
  return kind === "all" ? "" : kind;
}

/** What would be due if this were the rule of its source and kind, or, without `days`, if there were none. */
export async function previewRule(
  { store, previewSweep }: Pick<AdminServices, "store" | "previewSweep">,
  { source, kind, days }: Pick<Rule, "source" | "kind"> & Partial<Rule>,
): Promise<{ kind: string; count: number }[]> {
  const rules = (await store.retention.list()).filter((rule) => rule.source !== source || rule.kind !== kind);
  const counts = await previewSweep(days === undefined ? rules : [...rules, { source, kind, days }]);
  return Object.entries(counts).map(([of, count]) => ({ kind: of, count }));
}
