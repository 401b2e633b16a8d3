/** Rows by their key, a list of texts: those that a batch may touch, or what it has found out about them. */
import { asStored, toStorable } from "./storable-text.ts";

export class RowMap<Row> {
  readonly #rows = new Map<string, Row>();

  get(key: readonly string[]): Row | undefined {
    return this.#rows.get(toText(key));
  }

  set(key: readonly string[], row: Row): void {
    this.#rows.set(toText(key), row);
  }

  /** In the order in which their keys were first set. */
  values(): Row[] {
    return [...this.#rows.values()];
  }
}

/** No text that can be stored has the separator. */
function toText(key: readonly string[]): string {
  return key.map((part) => toStorable(asStored(part))).join("\0");
}
