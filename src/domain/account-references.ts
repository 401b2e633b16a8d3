/** The fields of records that refer to accounts. */
export interface AccountReferences {
  authorId?: string | null;
  artistId?: string | null;
  taggedIds?: string[] | null;
  coauthorIds?: string[] | null;
}

export function listReferences({ authorId, artistId, taggedIds, coauthorIds }: AccountReferences): string[] {
  return [authorId, artistId, ...(taggedIds ?? []), ...(coauthorIds ?? [])].filter((id) => id != null);
}

/** Two references that become one are listed once. */
export function replaceReferences<Fields extends object>(
  record: Fields & AccountReferences,
  replace: (id: string) => string,
): Fields {
  const { authorId, artistId, taggedIds, coauthorIds } = record;
  const replaceIn = (ids: readonly string[]) => [...new Set(ids.map(replace))];
  return {
    ...record,
    ...(authorId != null && { authorId: replace(authorId) }),
    ...(artistId != null && { artistId: replace(artistId) }),
    ...(taggedIds != null && { taggedIds: replaceIn(taggedIds) }),
    ...(coauthorIds != null && { coauthorIds: replaceIn(coauthorIds) }),
  };
}
