import { type Static, Type } from "#api/schema.ts";
import { NullableText, wireObject } from "#api/wire.ts";
import { toIsoTime } from "#domain/time.ts";

/** Who is signed in. */
export const SessionShape = wireObject({
  name: Type.String({ description: "Label of the token." }),
  keyId: Type.String(),
  scopes: Type.Array(Type.String()),
  expiresAt: NullableText,
});
export type SessionShape = Static<typeof SessionShape>;

export function toSession(
  { keyId, label, scopes }: { keyId: string; label: string; scopes: Iterable<string> },
  expiresAt: number | null,
): SessionShape {
  return { name: label, keyId, scopes: [...scopes], expiresAt: expiresAt === null ? null : toIsoTime(expiresAt) };
}
