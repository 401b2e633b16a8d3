/** A collector for tests: keeps what it is handed, in the order of arrival. */
import type {
  Collector,
  FoundChartEntry,
  FoundFollow,
  FoundHashtag,
  FoundSubtitles,
  SourceDocument,
  SourceFile,
} from "#contract/importer.ts";

type Taken<Method extends "account" | "post" | "comment" | "sound" | "place"> = Parameters<Collector[Method]>[0];

export interface Recording extends Collector {
  accounts: Taken<"account">[];
  posts: Taken<"post">[];
  comments: Taken<"comment">[];
  sounds: Taken<"sound">[];
  hashtags: FoundHashtag[];
  places: Taken<"place">[];
  tracks: FoundSubtitles[];
  follows: FoundFollow[];
  chart: FoundChartEntry[];
  refused: string[];
  skipped: string[];
}

export function recordingCollector(): Recording {
  const recording: Recording = {
    accounts: [],
    posts: [],
    comments: [],
    sounds: [],
    hashtags: [],
    places: [],
    tracks: [],
    follows: [],
    chart: [],
    refused: [],
    skipped: [],
    account(found) {
      recording.accounts.push(found);
      return found.id ?? `name:${found.name}`;
    },
    post: (found) => void recording.posts.push(found),
    comment: (found) => void recording.comments.push(found),
    sound: (found) => void recording.sounds.push(found),
    hashtag: (found) => void recording.hashtags.push(found),
    place: (found) => void recording.places.push(found),
    subtitles: (found) => void recording.tracks.push({ ...found, lines: [...found.lines] }),
    follow: (found) => void recording.follows.push(found),
    chartEntry: (found) => void recording.chart.push(found),
    refuse: (reason) => void recording.refused.push(reason),
    skip: (reason) => void recording.skipped.push(reason),
  };
  return recording;
}

export function documentOf(
  kind: SourceDocument["kind"],
  value: unknown,
  more: Partial<Omit<SourceDocument, "kind" | "value">> = {},
): SourceDocument {
  return { kind, value, index: 0, capturedAt: null, origin: {}, ...more };
}

export function fileNamed(path: string): SourceFile {
  return { name: path, segments: path.split("/"), of: null };
}
