/**
 * Why an import refuses a file or a record: a code and a message each, the same for every format and platform.
 * Reports count by code; docs/importing.md lists exactly this table.
 */
export const REFUSALS = {
  // Files
  file_not_found: "file not found",
  file_not_permitted: "permission denied",
  file_is_folder: "it is a folder",
  link_loop: "symbolic link loop",
  file_name_too_long: "file name too long",
  too_many_open_files: "too many open files",
  no_space_left: "no disk space left for temporary files",
  disk_error: "disk read error",
  system_error: "system error",
  unknown_format: "unknown format, and no objects of a platform in it; a table can be read with --as and --map",
  main_content_unknown: "unknown format; only accounts, hashtags, sounds or places inside it were imported",
  page_without_data: "a web page without embedded data; save the page that shows the posts, or record a HAR",
  takeout_as_pages: "a takeout as web pages; request it again in the format JSON",
  too_slow: "reading takes too long for the file's size; the rest of it was not read",
  unexpected_error: "an unexpected error, which is a fault of Triptych; please report it",
  not_text: "neither text nor a supported archive",
  unsupported_archive: "unsupported archive type; use zip or tar",
  unsupported_compression: "unsupported compression; use gzip, xz or zstd",
  backup_of_store: "a backup of a store; fill an empty store from it with triptych restore <file>",
  unsupported_database: "databases and Parquet are not supported; export as NDJSON or CSV",
  unsupported_spreadsheet: "spreadsheets are not supported; save the sheet as CSV",
  // Archives and compression
  cut_short: "truncated: its end is missing",
  damaged: "damaged",
  encrypted: "encrypted",
  not_a_plain_file: "a link, device or pipe, not a regular file",
  unsafe_name: "unsafe entry name in the archive",
  too_many_entries: "too many entries in the archive; the rest was not read",
  too_many_layers: "too many nested archives or compressions",
  too_much_memory: "needs too much memory; the rest of it was not read",
  expands_too_much: "decompresses to more than allowed; possibly a decompression bomb",
  overlapping_entries: "zip entries overlap; probably a zip bomb",
  // Documents
  archive_too_large: "zip from a stream is too large",
  text_too_large: "web page or text is too large",
  record_too_large: "record is too large",
  row_too_large: "table row is too large; a closing quote may be missing",
  quote_not_closed: "table row has a quote that is never closed",
  too_many_cells: "table row has more cells than the header; a quote or a line break may be missing",
  nested_too_deep: "nested too deeply",
  not_json: "not JSON",
  json_broken: "invalid JSON",
  // Records
  too_large_to_store: "texts and lists are far longer than platforms allow; nothing of the record was stored",
  unknown_record: "known format, but unsupported kind of record",
  other_site: "the record's own address is one of another site",
  site_unknown:
    "record does not say which platform it is of: it has no address, and no id or field that only one has; add its address, or read a table with --as and --map",
  id_rounded: "the id lost its last digits in a spreadsheet or a number; export the column as text",
  account_without_id: "account has neither id nor name",
  post_without_id: "post or video has no valid id",
  post_with_two_authors: "post names two different authors",
  comment_without_id: "comment has no valid id",
  comment_without_post: "comment does not say which post or video it is on",
  sound_without_id: "sound has no valid id",
  hashtag_without_name: "hashtag has no name",
  place_without_id: "place has no valid id",
  follow_without_accounts: "follow does not name both accounts",
  subtitles_without_lines: "subtitles contain no readable line",
  subtitle_line_incomplete: "transcript line has no time or no text",
  transcript_interrupted: "the import resumed in the middle of a transcript; import its file again",
  chart_row_without_day: "chart row has no readable date; rows may be joined together",
  columns_missing: "the table lacks a column that is mapped, or that has the name of a field",
  // Lists that do not say what they are about
  comments_without_post:
    "comments do not say which post or video they are on; keep its id in the file name, or import with --of <its code or id>",
  subtitles_without_video: "subtitles do not say which video they belong to; keep its id in the file name",
  subtitles_of_unknown_video:
    "the file name may name a video that is not stored; if all names are ids, use --names-are-ids; otherwise import the video first, put its id in brackets, or use --of <video id>",
  followers_without_owner: "list of followers does not say whose it is; import it with --of <account name>",
  followers_or_following:
    "list of accounts does not say whether they follow or are followed; put followers or following into the file name",
  tagged_posts_without_owner: "list of tagged posts does not say who is tagged; import it with --of <account name>",
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof REFUSALS;

/** A code, optionally with a detail. */
export type Refusal = RefusalCode | `${RefusalCode}: ${string}`;

/** The code of a refusal; null for the sentences of older versions, which have none. */
export function refusalCode(reason: string): RefusalCode | null {
  const [code = ""] = reason.split(":", 1);
  return isRefusalCode(code) ? code : null;
}

function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code);
}

/** The message, with the detail in parentheses. */
export function refusalText(reason: string): string {
  const code = refusalCode(reason);
  if (code === null) return reason;
  const detail = reason.slice(code.length + 2);
  return detail === "" ? REFUSALS[code] : `${REFUSALS[code]} (${detail})`;
}

export function withDetail(refusal: Refusal, detail: string): Refusal {
  return isRefusalCode(refusal) ? `${refusal}: ${detail}` : `${refusal}, ${detail}`;
}
