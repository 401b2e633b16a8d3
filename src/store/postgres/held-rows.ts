/**
 * The rows of one table that a batch may touch: read at once, changed in memory as if one after the other, written at
 * once. The key of a row is all that tells it from others, as texts.
 */
import { asHeld } from "./storable-text.ts";

export class HeldRows<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #changed = new Map<string, Row>();

  /** As it is held in the store. */
  hold(key: readonly string[], row: Row): void {
    this.#rows.set(textOf(key), row);
  }

  get(key: readonly string[]): Row | undefined {
    return this.#rows.get(textOf(key));
  }

  put(key: readonly string[], row: Row): void {
    const text = textOf(key);
    this.#rows.set(text, row);
    this.#changed.set(text, row);
  }

  changed(): Row[] {
    return [...this.#changed.values()];
  }

  /** Each row that changed since they were taken last, as it is now, in the order in which they first changed. */
  takeChanged(): Row[] {
    const rows = this.changed();
    this.#changed.clear();
    return rows;
  }
}

/** Lengths tell the parts apart, whatever characters they hold. */
function textOf(key: readonly string[]): string {
  let text = "";
  for (const part of key) {
    const held = asHeld(part);
    text += `${held.length}:${held}`;
  }
  return text;
}
