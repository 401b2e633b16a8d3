import type { Counters, Held } from "./record.ts";

export interface Hashtag<Native extends object = object> extends Held<Native> {
  /** Without `#`, as written. */
  name: string;
  /** posts, views */
  counters: Counters;
}
