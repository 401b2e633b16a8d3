/** The arguments that name an account, a post or a comment of a platform. */
import { EXPECTED_ID, type NameableKind } from "#api/record-id.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { UsageError } from "./command-errors.ts";

/** The id, or the name of an account. */
export function parseRecordArgument(platform: string, kind: NameableKind, argument: string, text: string): string {
  const found = PLATFORMS.find(({ name }) => name === platform);
  if (found === undefined)
    throw new UsageError(`the platform must be one of ${PLATFORMS.map(({ name }) => name).join(", ")}`);
  const id = found.parseRecordId(kind, text);
  if (id === null) throw new UsageError(`the ${argument} ${EXPECTED_ID[kind]}`);
  return id;
}
