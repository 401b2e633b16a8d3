/** Names inside archives are never used to write; still a name that points elsewhere is a sign of a hostile archive. */
import type { Refusal } from "#api/refusals.ts";

const DEVICE_NAMES = /^[a-z]:/i;

/** The segments of an entry's name, or the reason to refuse it. */
export function entrySegments(name: string): string[] | { refused: Refusal } {
  if (name.includes("\0")) return { refused: "unsafe_name: it holds a NUL" };
  const path = name.replaceAll("\\", "/");
  if (path.startsWith("/") || DEVICE_NAMES.test(path)) return { refused: "unsafe_name: an absolute path" };
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return { refused: "unsafe_name: it leads out of the archive" };
  if (segments.length === 0) return { refused: "unsafe_name: it is empty" };
  return segments;
}

const MEDIA =
  /\.(?:jpe?g|png|webp|gif|heic|heif|avif|bmp|tiff?|mp4|m4v|webm|mkv|mov|avi|flv|3gp|wmv|mpe?g|mp3|m4a|aac|opus|ogg|oga|wav|flac|part|ytdl|pdf|woff2?|ttf|css)$/i;

/** Why a file is passed over without looking inside; absent for files worth opening. */
export function skipReason(segments: readonly string[]): string | undefined {
  if (segments.some((segment) => segment.startsWith(".") || segment === "__MACOSX")) return "hidden";
  if (MEDIA.test(segments.at(-1) ?? "")) return "media";
  return undefined;
}
