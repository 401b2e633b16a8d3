/** An account of any platform, in one shape. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { nullable, NullableText, Text, wireObject } from "#api/wire.ts";
import { type Account, withoutContacts, withoutLikesGiven } from "#domain/account.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import { ApproximateFields, listApproximate } from "./approximate.ts";
import { CaptureTime, toCaptureTime } from "./capture-time.ts";
import { KnownCounters, toKnownCounters } from "./counters.ts";

export const AccountSummary = wireObject({
  platform: Text,
  id: nullable(Type.String({ description: "The platform's own id; null if only the name is known." })),
  name: NullableText,
  display_name: NullableText,
  bio: nullable(
    Type.String({
      description:
        "E-mail addresses and phone numbers in it are hidden unless the token has the scope `read:personal`.",
    }),
  ),
  verified: nullable(Type.Boolean()),
  private: nullable(Type.Boolean()),
  created_at: nullable(Type.Integer({ description: "Unix seconds." })),
  language: NullableText,
  country: NullableText,
  counters: KnownCounters,
  approximate: ApproximateFields,
  captured_at: CaptureTime,
  source: Type.String({ description: "Tool or format that it was captured with." }),
});
type AccountSummary = Static<typeof AccountSummary>;

export function toAccountSummary(
  platform: PlatformName,
  stored: Account,
  { personal }: { personal: boolean },
): Nullable<AccountSummary> {
  const account = personal ? stored : withoutContacts(stored);
  return {
    platform,
    id: platformId(account.id),
    name: account.name,
    display_name: account.displayName,
    bio: account.bio,
    verified: account.verified,
    private: account.private,
    created_at: account.createdAt,
    language: account.language,
    country: account.country,
    counters: toKnownCounters(withoutLikesGiven(account.counters)),
    ...listApproximate(account),
    captured_at: toCaptureTime(account.capturedAt),
    source: account.source,
  };
}
