/**
 * Why an import refuses a file or a record: a code and one sentence each, the same for every format and platform.
 * Reports count by code; docs/importing.md lists exactly this table.
 */
export const REFUSALS = {
  // Files
  file_not_found: "there is no such file",
  file_not_permitted: "it may not be read by this user",
  file_is_folder: "it is a folder",
  link_loop: "it is a link that leads in a circle",
  file_name_too_long: "its name is too long",
  too_many_open_files: "too many files are open",
  no_space_left: "there is no space left for spooling",
  disk_error: "the disk cannot read it",
  system_error: "the system cannot read it",
  unknown_format: "no known format, and none of the platforms' objects in it",
  too_slow: "reading it takes too long for its size; the rest of it was not read",
  not_text: "it is neither text nor a kind of archive that is read",
  unsupported_archive: "archives of this kind are not read; pack it as zip or tar",
  unsupported_compression: "compression of this kind is not read; use gzip, xz or zstd",
  unsupported_database: "databases and Parquet are not read; export it as NDJSON or CSV",
  // Archives and compression
  cut_short: "it is cut short: its end is missing",
  damaged: "it is damaged",
  encrypted: "it is encrypted",
  not_a_plain_file: "it is a link, a device or a pipe, not a plain file",
  unsafe_name: "its name in the archive is not that of a file inside it",
  too_many_entries: "the archive has too many entries; the rest was not read",
  too_many_layers: "it lies inside too many layers of archives or compression",
  too_much_memory: "it needs more memory to open than is allowed",
  expands_too_much: "it unfolds to more than is allowed, as a bomb does",
  overlapping_entries: "entries of the zip share the same bytes, as only a bomb's do",
  // Documents
  archive_too_large: "a zip that comes through a stream is too large",
  text_too_large: "a web page or a text is too large",
  record_too_large: "a record is too large",
  row_too_large: "a row of a table is too large: a quote may be missing",
  nested_too_deep: "it is nested too deeply",
  not_json: "it is not JSON",
  json_broken: "its JSON is broken",
  // Records
  unknown_record: "a record of a known format is of no kind that is read",
  account_without_id: "an account has neither id nor name",
  post_without_id: "a post or video has no id",
  post_with_two_authors: "a post names two different authors",
  comment_without_id: "a comment has no id",
  comment_without_post: "a comment does not say which post or video it is on",
  sound_without_id: "a sound has no id",
  hashtag_without_name: "a hashtag has no name",
  place_without_id: "a place has no id",
  follow_without_accounts: "a follow does not name both accounts",
  subtitles_without_lines: "subtitles hold no line that can be read",
  subtitle_line_incomplete: "a line of a transcript has no time or no text",
  transcript_interrupted: "a transcript was taken up in its middle; import its file again",
  chart_row_without_day: "a row of a chart has no day that can be read; rows may be glued together",
  // Lists that do not say what they are about
  comments_without_post:
    "comments do not say which post or video they are on; keep its id in the file's name, or import with --of <code of the post>",
  subtitles_without_video: "subtitles do not say which video they belong to; keep its id in the file's name",
  followers_without_owner: "a list of followers does not say whose it is; import it with --of <account name>",
  tagged_posts_without_owner: "a list of tagged posts does not say who is tagged; import it with --of <account name>",
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof REFUSALS;

/** A code, alone or with what is particular about this case. */
export type Refusal = RefusalCode | `${RefusalCode}: ${string}`;

/** What refusals are counted by. Reasons of older versions have no code and stand for themselves. */
export function refusalCode(reason: string): RefusalCode | null {
  const [code = ""] = reason.split(":", 1);
  return Object.hasOwn(REFUSALS, code) ? (code as RefusalCode) : null;
}

/** In words, with what is particular about the case in brackets. */
export function refusalText(reason: string): string {
  const code = refusalCode(reason);
  if (code === null) return reason;
  const detail = reason.slice(code.length + 2);
  return detail === "" ? REFUSALS[code] : `${REFUSALS[code]} (${detail})`;
}

export function withDetail(refusal: Refusal, detail: string): Refusal {
  return `${refusal}${refusal.includes(": ") ? "," : ":"} ${detail}` as Refusal;
}
