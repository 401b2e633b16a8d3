/**
 * Some subtitle files name their video by eleven characters that may as well be a word, such as `interview01.srt`. Only
 * the store can tell: tracks of stored videos are written like others, the rest are refused.
 */
import { refusalCode } from "#api/refusals.ts";
import type { Reject } from "#domain/job.ts";
import type { PlatformName } from "#domain/record.ts";
import type { ParsedBatch, PlatformBatch } from "./batch-builder.ts";

/** The ids among these that are stored posts. */
export type FindPosts = (platform: PlatformName, ids: string[]) => Promise<ReadonlySet<string>>;

export async function resolveUncertainSubtitles<Batch extends ParsedBatch & { file: string }>(
  batch: Batch,
  findPosts: FindPosts,
): Promise<Batch> {
  if ([...batch.byPlatform.values()].every(({ uncertainSubtitles }) => uncertainSubtitles.length === 0)) return batch;
  const byPlatform = new Map<PlatformName, PlatformBatch>();
  const rejects: Reject[] = [];
  for (const [platform, part] of batch.byPlatform) {
    const uncertain = part.uncertainSubtitles;
    const ids = [...new Set(uncertain.map(({ postId }) => postId))];
    const stored = await findPosts(platform, ids);
    const read = new Set(part.records.filter(({ kind }) => kind === "post").map(({ incoming }) => incoming.id));
    const isKnown = (id: string) => stored.has(id) || read.has(id);
    const subtitles = [...part.subtitles, ...uncertain.filter(({ postId }) => isKnown(postId))];
    byPlatform.set(platform, { ...part, subtitles, uncertainSubtitles: [] });
    for (const id of ids) {
      if (!isKnown(id)) rejects.push({ file: batch.file, line: null, reason: `subtitles_of_unknown_video: ${id}` });
    }
  }
  const refused = { ...batch.refused };
  for (const { reason } of rejects) {
    const code = refusalCode(reason) ?? reason;
    refused[code] = (refused[code] ?? 0) + 1;
  }
  return { ...batch, byPlatform, refused, rejects: [...batch.rejects, ...rejects] };
}
