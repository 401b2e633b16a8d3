/** Accounts, posts, sounds, hashtags and places by their ids and names. */
import type { Account } from "#domain/account.ts";
import type { JsonText } from "#domain/json-text.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { PlatformName, RecordKind, StoredRecord } from "#domain/record.ts";
import type { Header } from "#domain/records.ts";
import type { Sound } from "#domain/sound.ts";
import { batchesOf, type SqlSteps, type Steps } from "#store/sql/sql.ts";

/** The platform's own object behind each kind of record. Each slice declares its own; the store treats them as opaque. */
export interface Natives {
  account: object;
  post: object;
  comment: object;
  sound: object;
  hashtag: object;
  place: object;
}

export interface RecordReader<N extends Natives = Natives> {
  getAccount(id: string): Promise<Account<N["account"]> | null>;
  getAccountByName(name: string): Promise<Account<N["account"]> | null>;
  /** In the order of the ids; unknown ids are skipped. */
  getAccounts(ids: readonly string[]): Promise<Account<N["account"]>[]>;
  getRenderedAccount<Body>(
    id: string,
    projection: Projection<Account<N["account"]>, Body>,
  ): Promise<Rendered<Body> | null>;
  getRenderedAccountByName<Body>(
    name: string,
    projection: Projection<Account<N["account"]>, Body>,
  ): Promise<Rendered<Body> | null>;
  /** Whether any account is known by name only. */
  hasProvisionalAccounts(): Promise<boolean>;

  getPost(id: string): Promise<Post<N["post"]> | null>;
  /** The id of some post, for an example; null if there is none. */
  getAnyPostId(): Promise<string | null>;
  /** In the order of the ids; unknown ids are skipped. */
  getPosts(ids: readonly string[]): Promise<Post<N["post"]>[]>;
  getRenderedPost<Body>(id: string, projection: Projection<Post<N["post"]>, Body>): Promise<Rendered<Body> | null>;

  getSound(id: string): Promise<Sound<N["sound"]> | null>;
  getPlace(id: string): Promise<Place<N["place"]> | null>;
  /** By name, ignoring case and diacritics. */
  getHashtag(name: string): Promise<Hashtag<N["hashtag"]> | null>;
}

export interface RecordsById {
  get<Stored extends StoredRecord<object>>(kind: RecordKind, id: string): Promise<Stored | null>;
  /** In the order of the ids; missing records are left out. */
  list<Stored extends StoredRecord<object>>(kind: RecordKind, ids: readonly string[]): Promise<Stored[]>;
  /** In the order of the ids; null for missing records. */
  listEach<Stored extends StoredRecord<object>>(kind: RecordKind, ids: readonly string[]): Promise<(Stored | null)[]>;
}

/** The headers of stored records, in no order. */
export function* readHeaders<Kind extends RecordKind>(
  sql: SqlSteps,
  platform: PlatformName,
  kind: Kind,
  ids: readonly string[],
): Steps<JsonText<Header<Kind>>[]> {
  const headers: JsonText<Header<Kind>>[] = [];
  for (const batch of batchesOf(ids)) {
    const rows = yield* sql.all<{ header: JsonText<Header<Kind>> }>(
      "SELECT header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
      batch,
      platform,
      kind,
    );
    for (const { header } of rows) headers.push(header);
  }
  return headers;
}
