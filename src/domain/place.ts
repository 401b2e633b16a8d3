import type { Counters, Held } from "./record.ts";

export interface Place<Native extends object = object> extends Held<Native> {
  name: string;
  latitude: number | null;
  longitude: number | null;
  address: string | null;
  city: string | null;
  /** posts */
  counters: Counters;
}
