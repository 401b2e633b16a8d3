import type { Counters, StoredRecord } from "./record.ts";

/** A piece of music or an original recording that posts share. */
export interface Sound<Native extends object = object> extends StoredRecord<Native> {
  title: string | null;
  artistName: string | null;
  /** The account of the artist, where the platform names one. */
  artistId: string | null;
  durationS: number | null;
  /** posts */
  counters: Counters;
}
