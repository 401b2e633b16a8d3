/** For tests: writes down what a reader hands over. People without an id are referred to by `name:`. */
import type { Collector } from "#contract/importer.ts";

type Taken<Method extends keyof Collector> = Parameters<Collector[Method]>[0];

export interface Recording {
  accounts: Taken<"account">[];
  posts: Taken<"post">[];
  comments: Taken<"comment">[];
  sounds: Taken<"sound">[];
  hashtags: Taken<"hashtag">[];
  places: Taken<"place">[];
  subtitles: Taken<"subtitles">[];
  follows: Taken<"follow">[];
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
    subtitles: (found) => void recording.subtitles.push(found),
    follow: (found) => void recording.follows.push(found),
    chartEntry: () => undefined,
    refuse: (reason) => void recording.refused.push(reason),
    skip: (reason) => void recording.skipped.push(reason),
  };
  return { collect, recording };
}
