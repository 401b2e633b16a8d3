import type { Counters, StoredRecord } from "./record.ts";

/** A track or an original recording that posts use. */
export interface Sound<Native extends object = object> extends StoredRecord<Native> {
  title: string | null;
  artistName: string | null;
  /** The artist's account, if the platform names one. */
  artistId: string | null;
  durationS: number | null;
  /** posts */
  counters: Counters;
}
