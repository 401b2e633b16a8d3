import { suggest } from "#domain/suggest.ts";
import type { RawInput } from "./input.ts";

const MAX_NAME_LENGTH = 60;

/** Operations ignore unknown parameters. In an export, a typo in `pseudonymise` would hand out the names of people. */
export function findUnknownParameter(
  input: RawInput,
  known: readonly string[],
): { parameter: string; reason: string } | null {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const [near] = suggest(unknown, known, 1);
  const hint = near === undefined ? `an export takes ${known.join(", ")}` : `did you mean ${near}?`;
  return { parameter: unknown.slice(0, MAX_NAME_LENGTH).toWellFormed(), reason: `is unknown; ${hint}` };
}
