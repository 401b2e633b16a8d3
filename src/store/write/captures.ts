/** Takes a batch apart: each capture goes to the concern that writes its row. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { Changes, RecordChange, RecordHistory } from "./port.ts";
import type { NonCommentKind } from "./record-row.ts";

export type RecordCapture = RecordChange & { kind: NonCommentKind };

/** The captures of one row, by concern. */
export interface Captures {
  record: RecordCapture;
  comment: RecordChange;
  subtitles: SubtitleTrack;
  follow: Follow;
  chart: ChartEntry;
  counters: RecordHistory;
}

/** The concerns, each with an action for its captures. */
export type Concerns<Action extends string> = {
  readonly [Name in keyof Captures]: Readonly<
    Record<Action, (platform: PlatformName, capture: Captures[Name]) => void>
  >;
};

/** In the order in which documents are numbered. Counters come after their record, to which an undo counts them. */
export function eachCapture<Action extends string>(
  { platform, records, subtitles, follows, chartEntries, history = [] }: Changes,
  action: Action,
  concerns: Concerns<Action>,
): void {
  for (const change of records) {
    if (isNotComment(change)) concerns.record[action](platform, change);
    else concerns.comment[action](platform, change);
    const { kind, incoming, point } = change;
    if (point !== null) concerns.counters[action](platform, { kind, id: incoming.id, points: [point] });
  }
  for (const track of subtitles) concerns.subtitles[action](platform, track);
  for (const follow of follows) concerns.follow[action](platform, follow);
  for (const entry of chartEntries) concerns.chart[action](platform, entry);
  for (const points of history) concerns.counters[action](platform, points);
}

export function isNotComment<Item extends { kind: RecordKind }>(item: Item): item is Item & { kind: NonCommentKind } {
  return item.kind !== "comment";
}
