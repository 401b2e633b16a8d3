/** A collector that keeps what an importer hands it, in the order of arrival. People without an id become `name:…`. */
import type { Collector } from "#api/importer.ts";

type Given<Method extends keyof Collector> = Parameters<Collector[Method]>[0];

export interface Recording {
  accounts: Given<"account">[];
  posts: Given<"post">[];
  comments: Given<"comment">[];
  sounds: Given<"sound">[];
  hashtags: Given<"hashtag">[];
  places: Given<"place">[];
  subtitles: Given<"subtitles">[];
  follows: Given<"follow">[];
  chartEntries: Given<"chartEntry">[];
  refused: string[];
  skipped: string[];
}

export function recordingCollector(): { collect: Collector; recording: Recording } {
  const recording: Recording = {
    accounts: [],
    posts: [],
    comments: [],
    sounds: [],
    hashtags: [],
    places: [],
    subtitles: [],
    follows: [],
    chartEntries: [],
    refused: [],
    skipped: [],
  };
  const collect: Collector = {
    account(found) {
      recording.accounts.push(found);
      return found.id ?? `name:${found.name}`;
    },
    post: (found) => void recording.posts.push(found),
    comment: (found) => void recording.comments.push(found),
    sound: (found) => void recording.sounds.push(found),
    hashtag: (found) => void recording.hashtags.push(found),
    place: (found) => void recording.places.push(found),
    subtitles: (found) => void recording.subtitles.push({ ...found, lines: [...found.lines] }),
    follow: (found) => void recording.follows.push(found),
    chartEntry: (found) => void recording.chartEntries.push(found),
    refuse: (reason) => void recording.refused.push(reason),
    skip: (reason) => void recording.skipped.push(reason),
  };
  return { collect, recording };
}
