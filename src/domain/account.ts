import { hideContacts } from "./contacts.ts";
import type { Counters, StoredRecord } from "./record.ts";

/** A person, channel or brand that publishes. */
export interface Account<Native extends object = object> extends StoredRecord<Native> {
  /** The name in its URL, without `@`, as the platform writes it. Looked up ignoring case. */
  name: string | null;
  displayName: string | null;
  bio: string | null;
  verified: boolean | null;
  private: boolean | null;
  createdAt: number | null;
  language: string | null;
  country: string | null;
  /** followers, following, posts, likes (received), friends, saves (likes given, which only short video counts) */
  counters: Counters;
}

/** As shown beside other records: there, `saves` would say that others saved something. */
export function withoutLikesGiven({ saves: _likesGiven, ...counters }: Counters): Counters {
  return counters;
}

/** As clients see it that may not see contacts: those in the biography are hidden. */
export function withoutContacts<Stored extends Pick<Account, "bio">>(account: Stored): Stored {
  return account.bio === null ? account : { ...account, bio: hideContacts(account.bio) };
}
