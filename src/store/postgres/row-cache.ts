/**
 * The rows of one table that a batch may touch: loaded together, changed in memory, written together. The key of a row
 * is a list of texts.
 */
import { asStored } from "./storable-text.ts";

/** A slot without a row has been looked up but never filled. */
interface Slot<Row> {
  row: Row | undefined;
}

/** Nested by the parts of the key: a look-up concatenates no strings. */
type Slots<Row> = Map<string, Slots<Row> | Slot<Row>>;

export class RowCache<Row> {
  readonly #slots: Slots<Row> = new Map();
  readonly #changed = new Set<Slot<Row>>();

  /** Adds a row that is in the store. */
  load(key: readonly string[], row: Row): void {
    this.#slotOf(key).row = row;
  }

  get(key: readonly string[]): Row | undefined {
    let found: Slots<Row> | Slot<Row> | undefined = this.#slots;
    for (const part of key) {
      found = (found as Slots<Row>).get(asStored(part));
      if (found === undefined) return undefined;
    }
    return (found as Slot<Row>).row;
  }

  put(key: readonly string[], row: Row): void {
    const slot = this.#slotOf(key);
    slot.row = row;
    this.#changed.add(slot);
  }

  changed(): Row[] {
    return Array.from(this.#changed, ({ row }) => row as Row);
  }

  /** The rows changed since the last call, in the order in which they first changed. */
  takeChanged(): Row[] {
    const rows = this.changed();
    this.#changed.clear();
    return rows;
  }

  #slotOf(key: readonly string[]): Slot<Row> {
    let slots = this.#slots;
    const last = key.length - 1;
    for (let index = 0; index < last; index++) {
      const part = asStored(key[index] as string);
      let next = slots.get(part) as Slots<Row> | undefined;
      if (next === undefined) slots.set(part, (next = new Map()));
      slots = next;
    }
    const part = asStored(key[last] as string);
    let slot = slots.get(part) as Slot<Row> | undefined;
    if (slot === undefined) slots.set(part, (slot = { row: undefined }));
    return slot;
  }
}
