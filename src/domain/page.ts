/**
 * A place in a list that is ordered newest first, then by id. It names the last record given, so the next page
 * begins after it whatever was inserted before it meanwhile.
 */
export interface Keyset {
  /** Unix seconds; 0 for records whose time is not known, which come last. */
  at: number;
  id: string;
  /** Where likes give the order: how many there were when the record was given; -1 when not known. */
  likes?: number;
}

export interface PageRequest {
  limit: number;
  after?: Keyset | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Position of the last item; absent when there are none. */
  last?: Keyset;
  more: boolean;
}
