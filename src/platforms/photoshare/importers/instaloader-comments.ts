/**
 * Instaloader's `<name>_comments.json`: comments that do not name their post. Its shortcode must be in the file name, as
 * `--filename-pattern {shortcode}` puts it there, or else be given with `--of`.
 */
import type { Importer } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import { baseName, hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readId, readTimestamp, readObjects } from "#import/capture/field-readers.ts";
import { collectComment } from "../recognise/comments.ts";
import { postIdFromUrl, postIdFromCode } from "../recognise/enclosing-context.ts";

export const instaloaderComments: Importer = {
  name: "instaloader comments",

  detects: ({ kind, value }, file) =>
    kind === "json" && /_comments\.json$/i.test(baseName(file)) && hasRecord(listRecords(value), isComment),

  read(document, file, collect) {
    for (const comment of readObjects(listRecords(document.value))) {
      const postId = postIdInName(baseName(file), readTimestamp(comment["created_at"])) ?? postIdFromUrl(file.subject);
      if (postId === undefined)
        collect.refuse("comments_without_post: instaloader writes it there with --filename-pattern {shortcode}");
      else if (readId(comment["id"]) === undefined) collect.refuse("comment_without_id");
      else collectComment(comment, { postId }, collect);
    }
  },
};

function isComment(record: Fields): boolean {
  return ["id", "created_at", "text", "owner", "likes_count", "answers"].every((key) => key in record);
}

/** The eleven characters before `_comments.json`, on their own or after a separator. */
function postIdInName(name: string, commentedAt: number | undefined): string | undefined {
  const [, code] = /(?:^|[_\-. ])([A-Za-z0-9_-]{11})_comments\.json$/i.exec(name) ?? [];
  if (code === undefined || code.endsWith("_UTC")) return undefined;
  const id = postIdFromCode(code);
  return id !== undefined && isPublishedBefore(id, commentedAt) ? id : undefined;
}

/** The upper bits of an id are milliseconds since Instagram's epoch. No comment is older than its post. */
function isPublishedBefore(id: string, commentedAt: number | undefined): boolean {
  const postedAt = Number((BigInt(id) >> 23n) + 1_314_220_021_721n) / 1000;
  return commentedAt === undefined || postedAt <= commentedAt + DAY_S;
}
