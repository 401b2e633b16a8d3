import type { Counters, StoredRecord } from "./record.ts";

export interface Place<Native extends object = object> extends StoredRecord<Native> {
  name: string;
  latitude: number | null;
  longitude: number | null;
  address: string | null;
  city: string | null;
  /** posts */
  counters: Counters;
}
