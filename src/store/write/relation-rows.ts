/** Follows, subtitles and chart entries as rows, and what remains of two captures of one: null if the later says nothing new. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { Image } from "#store/undo/port.ts";

interface Captured {
  captured_at: number;
}

export function toFollowRow(
  platform: PlatformName,
  { accountId: account_id, followerId: follower_id, since, capturedAt: captured_at, source }: Follow,
) {
  // Without a date of its own, a follow is dated by the first capture that showed it.
  return { platform, account_id, follower_id, at: since ?? Math.floor(captured_at / 1000), since, captured_at, source };
}

type FollowTimes = Captured & { at: number; since: number | null };

export function mergeFollow<Row extends FollowTimes>(stored: FollowTimes | undefined, incoming: Row): Row | null {
  if (stored === undefined) return incoming;
  if (stored.captured_at >= incoming.captured_at && (incoming.since === null || stored.since !== null)) return null;
  const since = incoming.since ?? stored.since;
  const captured_at = Math.max(stored.captured_at, incoming.captured_at);
  return { ...incoming, at: since ?? stored.at, since, captured_at };
}

export function toSubtitleRow(
  platform: PlatformName,
  { postId: post_id, language, automatic, lines, capturedAt: captured_at, source }: SubtitleTrack,
) {
  return { platform, post_id, language, automatic, lines: JSON.stringify(lines), captured_at, source };
}

type Lines = Captured & { lines: string };

export function mergeSubtitles<Row extends Lines>(stored: Lines | undefined, incoming: Row): Row | null {
  return isOutdated(stored, incoming, stored?.lines === incoming.lines) ? null : incoming;
}

export function toEntryRow({ day, rank, postId: post_id, capturedAt: captured_at, source }: ChartEntry) {
  return { day, rank, post_id, captured_at, source };
}

type RankedPost = Captured & { post_id: string };

export function mergeChartEntry<Row extends RankedPost>(stored: RankedPost | undefined, incoming: Row): Row | null {
  return isOutdated(stored, incoming, stored?.post_id === incoming.post_id) ? null : incoming;
}

/** A newer capture of the same content is stored too: its age decides what replaces it and when it expires. */
function isOutdated(stored: Captured | undefined, incoming: Captured, isSame: boolean): boolean {
  if (stored === undefined) return false;
  return isSame ? stored.captured_at >= incoming.captured_at : stored.captured_at > incoming.captured_at;
}

export type RelationKind = "subtitles" | "follow" | "chart";

export const RESTORED: Readonly<Record<RelationKind, readonly string[]>> = {
  subtitles: ["lines", "captured_at", "source"],
  follow: ["at", "since", "captured_at", "source"],
  chart: ["post_id", "captured_at", "source"],
};

/** The columns that an undone import restores. */
export function relationImage(kind: RelationKind, row: object): string {
  return JSON.stringify(row, [...RESTORED[kind]]);
}

/** Merges a capture into what an undone import would restore. */
export function mergeRelationImage<Row extends object>(
  kind: RelationKind,
  image: Image,
  incoming: Row,
  merge: (stored: Row | undefined, incoming: Row) => Row | null,
): Image {
  const row = merge(image === null ? undefined : (JSON.parse(image) as Row), incoming);
  return row === null ? image : relationImage(kind, row);
}
