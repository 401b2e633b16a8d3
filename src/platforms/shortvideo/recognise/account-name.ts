import type { SourceFile } from "#api/importer.ts";
import { parseSiteUrl } from "../site-url.ts";

/** The name in a profile's URL, without `@`. */
export function readAccountName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.trim().replace(/^@/, "");
  return /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(name) ? name : undefined;
}

/** The account named by the user's `--of`: by name or by the URL of its profile. A number this long is a post's id. */
export function readSubjectName({ subject }: SourceFile): string | undefined {
  const target = parseSiteUrl(subject ?? "");
  const name = readAccountName(target?.kind === "account" && "name" in target ? target.name : subject);
  return name !== undefined && /^\d{15,}$/.test(name) ? undefined : name;
}
