/** For tests: random batches about few ids, so that writes hit existing records. */
import * as fc from "fast-check";
import type { Batch } from "#store/write/port.ts";
import { account, comment, NOW, post, SECOND } from "./sample-records.ts";

/** Ids as captures may contain them: characters that are special to sorting, folding or storage. */
export const IDS = ["1", "2", "10", "Zed", "_x", "é", "e\u0301", "💡", "a b", "q'\"\\", "nul\u0000l", "one\u0001"];
const WORDS = ["tea", "Tea house", "#Räuber tea", "night market", "茶の湯", "@ada says hi", "it's 100% \\ {tea}", ""];
export const SOURCES = ["demo", "file\u0000", "other"];

const text = fc.option(fc.constantFrom(...WORDS), { nil: null });
const second = fc.constantFrom(SECOND, SECOND - 1, SECOND - 86_400, null);
const captured = fc.record({
  capturedAt: fc.constantFrom(NOW - 5_000, NOW, NOW + 5_000),
  source: fc.constantFrom(...SOURCES),
});
/** TikTok shows the last two as the first one too, rounded. */
const views = fc.constantFrom(12_300, 12_345, 12_349);
const counters = fc.record({ likes: fc.nat(1), views }, { requiredKeys: [] });

export function batchesOf(ids: string[]): fc.Arbitrary<Batch> {
  const id = fc.constantFrom(...ids);
  const anAccount = fc
    .tuple(id, captured, counters, fc.constantFrom("ada", "Ádá", "bo b", "nul\u0000", null), text)
    .map(([key, more, counts, name, bio]) => account(key, { ...more, counters: counts, name, bio }));
  const aPost = fc
    .tuple(id, id, captured, counters, second, text, fc.subarray(ids), fc.subarray(["Tea", "tea", "x\u0000y", "茶"]))
    .map(([key, authorId, more, counts, publishedAt, words, taggedIds, hashtags]) =>
      post(key, { ...more, authorId, counters: counts, publishedAt, text: words, taggedIds, hashtags }),
    );
  const aComment = fc
    .tuple(id, id, id, captured, counters, second, text, fc.constantFrom(null, null, "parent"))
    .map(([key, postId, authorId, more, counts, publishedAt, words, parentId]) =>
      comment(key, { ...more, postId, authorId, counters: counts, publishedAt, text: words, parentId }),
    );
  const aTrack = fc.tuple(id, captured, fc.boolean(), text).map(([postId, more, automatic, words]) => ({
    postId,
    language: "en",
    automatic,
    lines: [{ startS: 0, durationS: 1, text: words ?? "" }],
    ...more,
  }));
  const aFollow = fc
    .tuple(id, id, captured, second)
    .map(([accountId, followerId, more, since]) => ({ accountId, followerId, since, ...more }));
  const anEntry = fc
    .tuple(id, captured, fc.integer({ min: 1, max: 3 }), fc.constantFrom("2026-11-14", "2026-11-15"))
    .map(([postId, more, rank, day]) => ({ country: "US", section: "now", day, rank, postId, ...more }));
  const aHistory = fc
    .tuple(id, counters, fc.constantFrom(NOW - 9_000, NOW - 2_000, NOW))
    .map(([key, counts, capturedAt]) => ({
      kind: "post" as const,
      id: key,
      points: [{ capturedAt, counters: counts }],
    }));
  return fc.record({
    accounts: fc.array(anAccount, { maxLength: 3 }),
    posts: fc.array(aPost, { maxLength: 5 }),
    comments: fc.array(aComment, { maxLength: 4 }),
    subtitles: fc.array(aTrack, { maxLength: 2 }),
    follows: fc.array(aFollow, { maxLength: 3 }),
    chartEntries: fc.array(anEntry, { maxLength: 3 }),
    history: fc.array(aHistory, { maxLength: 3 }),
  });
}
