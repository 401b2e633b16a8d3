/**
 * The rows of one table that a batch may touch: read at once, changed in memory as if one after the other, written at
 * once. The key of a row is all that tells it from others, as texts.
 */
import { asHeld } from "./storable-text.ts";

/** A place for a row, which may be empty. */
interface Place<Row> {
  row: Row | undefined;
}

/** By the first part of a key, then the next: no text is made only to look something up. */
type Places<Row> = Map<string, Places<Row> | Place<Row>>;

export class RowCache<Row> {
  readonly #places: Places<Row> = new Map();
  readonly #changed = new Set<Place<Row>>();

  /** As it is held in the store. */
  load(key: readonly string[], row: Row): void {
    this.#placeOf(key).row = row;
  }

  get(key: readonly string[]): Row | undefined {
    let found: Places<Row> | Place<Row> | undefined = this.#places;
    for (const part of key) {
      found = (found as Places<Row>).get(asHeld(part));
      if (found === undefined) return undefined;
    }
    return (found as Place<Row>).row;
  }

  put(key: readonly string[], row: Row): void {
    const place = this.#placeOf(key);
    place.row = row;
    this.#changed.add(place);
  }

  changed(): Row[] {
    return Array.from(this.#changed, ({ row }) => row as Row);
  }

  /** Each row that changed since they were taken last, as it is now, in the order in which they first changed. */
  takeChanged(): Row[] {
    const rows = this.changed();
    this.#changed.clear();
    return rows;
  }

  #placeOf(key: readonly string[]): Place<Row> {
    let places = this.#places;
    const last = key.length - 1;
    for (let index = 0; index < last; index++) {
      const part = asHeld(key[index] as string);
      let next = places.get(part) as Places<Row> | undefined;
      if (next === undefined) places.set(part, (next = new Map()));
      places = next;
    }
    const part = asHeld(key[last] as string);
    let place = places.get(part) as Place<Row> | undefined;
    if (place === undefined) places.set(part, (place = { row: undefined }));
    return place;
  }
}
