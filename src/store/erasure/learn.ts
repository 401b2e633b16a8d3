/**
 * What a capture of somebody erased teaches: an id for a name, new names, ids of new posts. Remembered, it also keeps out
 * what refers to them by nothing else, such as comments on those posts; what is stored of them already is removed.
 */
import type { Account } from "#domain/account.ts";
import { isTelling } from "#domain/display-name.ts";
import { isProvisional, provisionalId } from "#domain/provisional-id.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { makersOf } from "./erased-record.ts";
import { displayNameKey, unknownAccountKey } from "./keys.ts";
import type { Changes } from "#store/write/port.ts";

export interface LearntId {
  platform: PlatformName;
  kind: RecordKind;
  id: string;
}

type StoredFields = Partial<Pick<Account, "name"> & Pick<Post, "authorId">>;

interface KnownIds {
  isErased: (kind: RecordKind, id: string) => boolean;
  /** Undefined if the record is not stored. */
  getHeader: (kind: "account" | "post", id: string) => JsonText<object> | undefined;
}

export function learnErased(
  { platform, records }: Pick<Changes, "platform" | "records">,
  { isErased, getHeader }: KnownIds,
): LearntId[] {
  const learnt: LearntId[] = [];
  const accounts = new Set<string>();
  const isErasedAccount = (id: string) => accounts.has(id) || isErased("account", id);
  const getStored = (kind: "account" | "post", id: string): StoredFields => parseJsonText(getHeader(kind, id) ?? "{}");
  // Under a name, it is somebody else who took the name since.
  const isNamed = (id: string) => (getStored("account", id).name ?? null) !== null;
  const isSomebodyElse = (id: string | null) => id !== null && !isProvisional(id) && !isErasedAccount(id);
  for (const { kind, incoming } of records) {
    if (kind !== "account") continue;
    const { id, name, header } = incoming;
    // Erased by name, before any capture had shown the id.
    const isFound = name !== null && !isProvisional(id) && isErased("account", unknownAccountKey(name)) && !isNamed(id);
    if (!isFound && !isErasedAccount(id)) continue;
    for (const key of [id, ...nameKeys(parseJsonText(header))]) {
      accounts.add(key);
      learnt.push({ platform, kind: "account", id: key });
    }
  }
  for (const { kind, incoming } of records) {
    if (kind !== "post") continue;
    const isTheirs = makersOf({ kind, incoming }).some(isErasedAccount);
    // Otherwise an import could erase the posts of others.
    if (isTheirs && !isSomebodyElse(getStored("post", incoming.id).authorId ?? null))
      learnt.push({ platform, kind: "post", id: incoming.id });
  }
  return learnt.filter(({ kind, id }) => !isErased(kind, id));
}

/** Under which an account's names are remembered. */
export function nameKeys({
  name = null,
  displayName = null,
}: Partial<Pick<Account, "name" | "displayName">>): string[] {
  return [
    ...(name === null || name === "" ? [] : [provisionalId(name)]),
    ...(displayName !== null && isTelling(displayName) ? [displayNameKey(displayName)] : []),
  ];
}
