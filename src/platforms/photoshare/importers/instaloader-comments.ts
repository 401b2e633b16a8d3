/**
 * Instaloader's `<name>_comments.json`: a list of comments that does not say which post it belongs to. The post's code
 * must stand in the file's name, as `--filename-pattern {shortcode}` puts it there, or be given with `--of`.
 */
import type { Importer, SourceFile } from "#contract/importer.ts";
import { collectComment } from "../recognise/comments.ts";
import { idOf, type JsonObject, secondsOf } from "../recognise/field-readers.ts";
import { postIdOfAddress, postIdOfCode } from "../recognise/surroundings.ts";
import { holdsRecord, recordsIn } from "./reading-documents.ts";

export const UNNAMED_POST =
  "comments do not say which post they belong to; import the file with --of <code of the post>, or let instaloader write the code into its name with --filename-pattern {shortcode}";

export const instaloaderComments: Importer = {
  name: "instaloader comments",

  detects(document, file) {
    return document.kind === "json" && /_comments\.json$/i.test(nameOf(file)) && holdsRecord(document, isComment);
  },

  read(document, file, collect) {
    for (const comment of recordsIn(document)) {
      const postId = postIdOfAddress(file.of) ?? postIdInName(nameOf(file), secondsOf(comment["created_at"]));
      if (postId === undefined) collect.refuse(UNNAMED_POST);
      else if (idOf(comment["id"]) === undefined) collect.refuse("comment has no id");
      else collectComment(comment, { postId }, collect);
    }
  },
};

function isComment(record: JsonObject): boolean {
  return ["id", "created_at", "text", "owner", "likes_count", "answers"].every((key) => key in record);
}

function nameOf(file: SourceFile): string {
  return file.segments.at(-1) ?? file.name;
}

/** The eleven characters before `_comments.json`, on their own or after a separator. */
function postIdInName(name: string, commentedAt: number | undefined): string | undefined {
  const [, code] = /(?:^|[_\-. ])([A-Za-z0-9_-]{11})_comments\.json$/i.exec(name) ?? [];
  if (code === undefined || code.endsWith("_UTC")) return undefined;
  const id = postIdOfCode(code);
  return id !== undefined && isOlder(id, commentedAt) ? id : undefined;
}

/** The upper bits of an id are the milliseconds since the platform's epoch; nobody comments before the post is there. */
function isOlder(id: string, commentedAt: number | undefined): boolean {
  const postedAt = Number((BigInt(id) >> 23n) + 1_314_220_021_721n) / 1000;
  return commentedAt === undefined || postedAt <= commentedAt + 86_400;
}
