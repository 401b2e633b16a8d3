/** Names of archive entries. They are never used to write files; still an unsafe name is a sign of a hostile archive. */
import type { Refusal } from "#api/refusals.ts";

const DRIVE_LETTER = /^[a-z]:/i;

/** The path segments of an entry's name, or the reason to refuse it. */
export function parseEntryName(name: string): string[] | { refused: Refusal } {
  if (name.includes("\0")) return { refused: "unsafe_name: contains a NUL" };
  const path = name.replaceAll("\\", "/");
  if (path.startsWith("/") || DRIVE_LETTER.test(path)) return { refused: "unsafe_name: absolute path" };
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return { refused: "unsafe_name: points outside the archive" };
  if (segments.length === 0) return { refused: "unsafe_name: empty" };
  return segments;
}

const MEDIA_SUFFIX =
  /\.(?:jpe?g|png|webp|gif|heic|heif|avif|bmp|tiff?|mp4|m4v|webm|mkv|mov|avi|flv|3gp|wmv|mpe?g|mp3|m4a|aac|opus|ogg|oga|wav|flac|part|ytdl|pdf|woff2?|ttf|css)$/i;

/** Why a file is skipped by its name alone; undefined for files to open. */
export function skipReason(segments: readonly string[]): string | undefined {
  if (segments.some((segment) => segment.startsWith(".") || segment === "__MACOSX")) return "hidden";
  if (MEDIA_SUFFIX.test(segments.at(-1) ?? "")) return "media";
  return undefined;
}
