/**
 * Some captures know an account by name only; it has the provisional id `@name`. When a capture shows the real id, all
 * references to the provisional account move to it, and the provisional account is deleted. If that id is erased, all that
 * is known by the name is erased instead.
 */
import { removeLearnt } from "#store/erasure/erase.ts";
import { isMarkedErased } from "#store/erasure/statements.ts";
import type { Steps } from "#store/sql/sql.ts";
import type { Rekeying } from "./concern.ts";
import { withVerb } from "./concerns.ts";
import type { RecordSteps } from "./unit.ts";

export function* mergePlaceholder(unit: RecordSteps, rekeying: Rekeying): Steps<void> {
  const { platform, from, to } = rekeying;
  if (yield* isMarkedErased(unit.sql, platform, "account", to)) {
    return yield* removeLearnt(unit, [{ platform, kind: "account", id: from }]);
  }
  for (const { rekey } of withVerb("rekey")) yield* rekey(unit, rekeying);
}
