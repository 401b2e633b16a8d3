/** What the user's `--of` names: the account or the post that a list is about. */
import type { SourceFile } from "#api/importer.ts";
import { parseSiteUrl } from "../site-url.ts";
import { videoIdInUrl } from "../video-url.ts";
import { readAccountName } from "./account-name.ts";

const POST_ID = /^\d{15,}$/;

/** An account, by name or by the URL of its profile. */
export function readSubjectName({ subject }: SourceFile): string | undefined {
  const target = parseSiteUrl(subject ?? "");
  const name = readAccountName(target?.kind === "account" && "name" in target ? target.name : subject);
  return name !== undefined && POST_ID.test(name) ? undefined : name;
}

/** A post, by id or URL. */
export function readSubjectPost({ subject }: SourceFile): string | undefined {
  return subject !== null && POST_ID.test(subject) ? subject : videoIdInUrl(subject);
}
