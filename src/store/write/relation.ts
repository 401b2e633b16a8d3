/** Rows that captures are merged into as rows: subtitles, follows and chart entries. */
import type { PlatformName } from "#domain/record.ts";
import type { RowDocument } from "#store/search/port.ts";
import type { Image } from "#store/undo/port.ts";

export type RelationKind = "subtitles" | "follow" | "chart";

/** `Values` are the columns that decide a merge, `Row` all columns that both engines have. */
export interface Relation<Capture, Values extends object, Row extends Values> {
  kind: RelationKind;
  toRow: (platform: PlatformName, capture: Capture) => Row;
  /** Its key beside the platform. */
  keyOf: (row: Row) => (string | number | boolean)[];
  /** The columns that an undone import restores. */
  restored: readonly string[];
  /** Null if the capture says nothing new. */
  merge: <Merged extends Values>(stored: Values | undefined, incoming: Merged) => Merged | null;
  document?: RowDocument<Row, Row>;
}

interface Captured {
  captured_at: number;
}

/** A newer capture of the same content is stored too: its age decides what replaces it and when it expires. */
export function isOutdated(stored: Captured | undefined, incoming: Captured, isSame: boolean): boolean {
  if (stored === undefined) return false;
  return isSame ? stored.captured_at >= incoming.captured_at : stored.captured_at > incoming.captured_at;
}

/** The columns that an undone import restores. */
export function relationImage({ restored }: { restored: readonly string[] }, row: object): string {
  return JSON.stringify(row, [...restored]);
}

/** Merges a capture into what an undone import would restore. */
export function mergeRelationImage<Values extends object, Merged extends Values>(
  relation: Pick<Relation<never, Values, never>, "merge" | "restored">,
  image: Image,
  incoming: Merged,
): Image {
  const row = relation.merge(image === null ? undefined : (JSON.parse(image) as Values), incoming);
  return row === null ? image : relationImage(relation, row);
}
