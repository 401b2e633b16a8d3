/** The name of an account that a batch changed: each account has a row for its name. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";

export interface NamedAccount {
  platform: PlatformName;
  id: string;
  /** Folded; null if it had none. */
  before: string | null;
  now: string | null;
  /** When `now` was captured. */
  namedAt: number;
}

export function toNamedAccount(
  platform: PlatformName,
  stored: Pick<Account, "name"> | null,
  { id, name, namedAt, capturedAt }: EncodedRecord,
): NamedAccount {
  const before = stored?.name == null ? "" : foldName(stored.name);
  return { platform, id, before: before || null, now: name === "" ? null : name, namedAt: namedAt ?? capturedAt };
}
