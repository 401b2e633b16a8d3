/**
 * Keyset position in a list ordered newest first, then by id: the last record of a page. The next page starts after it,
 * whatever was inserted meanwhile.
 */
export interface Keyset {
  /** Unix seconds; 0 if unknown, which comes last. */
  at: number;
  id: string;
  /** For lists ordered by likes: the record's likes when it was returned; -1 if unknown. */
  likes?: number;
}

export interface PageRequest {
  limit: number;
  after?: Keyset | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Of the last item; absent if the page is empty. */
  last?: Keyset;
  more: boolean;
}
