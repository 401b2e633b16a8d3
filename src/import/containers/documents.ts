/**
 * Reads the documents of one file, whatever kind of text it is. What cannot be read is yielded with its reason. Nothing
 * here knows a platform.
 */
import { Readable } from "node:stream";
import { type Refusal, withDetail } from "#api/refusals.ts";
import { readActivityPage } from "./activity-page.ts";
import { type ByteStream, peek, readAll } from "./byte-stream.ts";
import { readTable } from "./csv.ts";
import { detectTextKind, hijackingGuardLength } from "./detect.ts";
import { EMPTY_FILE, type IndexFilter, type ParsedItem, type UnindexedItem } from "./document.ts";
import { type HarResponse, parseHarEntry } from "./har.ts";
import { extractAssignedJson, extractEmbeddedJson, scriptLocation } from "./html-json.ts";
import { readJson } from "./json-stream.ts";
import { readNdjson } from "./ndjson.ts";
import type { OpenedFile } from "./open-files.ts";
import { DEFAULT_SIZE_LIMITS, formatSize, type SizeLimits } from "./size-limits.ts";
import { toUtf8 } from "./text-encoding.ts";
import { toRefusal, UnreadableError } from "./unreadable-error.ts";

export interface DocumentOptions {
  /** Items before this index are skipped, mostly without being parsed. */
  firstIndex?: number;
  /** The user says that the file is a table, whatever its name. */
  isTable?: boolean;
  limits?: Partial<SizeLimits>;
}

export async function* readDocuments(
  file: Pick<OpenedFile, "segments" | "bytes">,
  options: DocumentOptions = {},
): AsyncGenerator<ParsedItem> {
  const firstIndex = options.firstIndex ?? 0;
  const notes: string[] = [];
  const refusals: Refusal[] = [];
  const source = stopAtError(file.bytes(), (error) => refusals.push(error.refusal));
  const context: ReadContext = {
    limits: { ...DEFAULT_SIZE_LIMITS, ...options.limits },
    isWanted: (index) => index >= firstIndex,
    note: (text) => notes.push(text),
    isTable: options.isTable ?? false,
    harMime: null,
  };
  let nextIndex = 0;
  try {
    for await (const items of readItems(source, file.segments.at(-1) ?? "", context)) {
      for (const note of notes.splice(0)) yield { note };
      for (const item of items) {
        if ("note" in item) {
          yield item;
          continue;
        }
        const index = nextIndex++;
        if (index < firstIndex || "skipped" in item) continue;
        yield "refused" in item ? { ...item, index } : { capturedAt: null, origin: {}, ...item, index };
      }
    }
  } catch (error) {
    refusals.unshift(toRefusal(error));
  }
  for (const note of notes) yield { note };
  for (const refused of refusals) yield { index: nextIndex++, refused };
}

/** Ends a stream that fails, so that everything before the failure is read. */
async function* stopAtError(source: ByteStream, onError: (error: UnreadableError) => void): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    onError(error);
  }
}

interface ReadContext {
  limits: SizeLimits;
  isWanted: IndexFilter;
  note: (text: string) => void;
  isTable: boolean;
  /** The media type of a response of a HAR; null outside. A HAR inside a HAR is read as plain JSON. */
  harMime: string | null;
}

const HEAD_BYTES = 64 * 1024;

async function* readItems(source: ByteStream, name: string, context: ReadContext): AsyncGenerator<UnindexedItem[]> {
  const { head, isWhole, bytes, close } = await peek(toUtf8(source, context.note), HEAD_BYTES);
  try {
    const guard = hijackingGuardLength(head.toString("utf8", 0, 256));
    const start = head.toString("utf8", guard, guard + HEAD_BYTES);
    const detected = detectTextKind(start, isWhole, name, context.isTable);
    const text = guard === 0 ? bytes : skipBytes(bytes, guard);
    const { limits } = context;
    switch (detected.kind) {
      case "json":
        yield* detected.isHar && context.harMime === null ? readHar(text, context) : readJson(text, context);
        break;
      case "ndjson":
        yield* readNdjson(text, context);
        break;
      case "table":
        if (context.harMime !== null && !isTableType(context.harMime)) break;
        yield* readTable(text, { ...context, separator: detected.separator });
        break;
      case "page": {
        if (detected.isActivity) {
          yield* readActivityPage(text, context);
          break;
        }
        const page = await readText(text, limits);
        const scripts = extractEmbeddedJson(page, limits.jsonDepth);
        // Most pages of a recording are frames and the like.
        if (scripts.length === 0 && context.harMime === null)
          yield [{ refused: TAKEOUT_CLASSES.test(page) ? "takeout_as_pages" : "page_without_data" }];
        for (const script of scripts) {
          if ("refused" in script)
            yield [{ refused: withDetail(script.refused, `in script ${script.name || "without id"}`) }];
          else yield [{ kind: "json", value: script.value, ...scriptLocation(script.name) }];
        }
        break;
      }
      case "script": {
        const values = extractAssignedJson(await readText(text, limits), limits.jsonDepth);
        if (values.length === 0) yield [{ note: "a script without data" }];
        for (const { name: variable, value } of values) {
          yield [{ kind: "json", value, ...scriptLocation(variable) }];
        }
        break;
      }
      case "text":
        yield [{ kind: "text", value: await readText(text, limits) }];
        break;
      case "backup":
        throw new UnreadableError("backup_of_store");
      case "binary":
        throw new UnreadableError("not_text");
      case "empty":
        yield [{ note: EMPTY_FILE }];
    }
  } finally {
    await close();
  }
}

/** The classes of rows in what Instagram gives its own users as HTML. */
const TAKEOUT_CLASSES = /\b_a6-[gp]\b/;

async function readText(bytes: ByteStream, { textBytes }: SizeLimits): Promise<string> {
  return (await readAll(bytes, textBytes, `text_too_large: more than ${formatSize(textBytes)}`)).toString("utf8");
}

/** `count` bytes are in the first chunk. */
async function* skipBytes(bytes: ByteStream, count: number): AsyncGenerator<Buffer> {
  let start = count;
  for await (const chunk of bytes) {
    yield chunk.subarray(start);
    start = 0;
  }
}

const HAR_ENTRIES = ["log", "entries"];

async function* readHar(bytes: ByteStream, context: ReadContext): AsyncGenerator<UnindexedItem[]> {
  let withoutBody = 0;
  const batches = readJson(bytes, { limits: context.limits, isWanted: () => true, alwaysSplit: HAR_ENTRIES });
  for await (const items of batches) {
    for (const item of items) {
      if (!("value" in item)) yield [item];
      else if (item.location?.path.join("/") === HAR_ENTRIES.join("/")) {
        const response = parseHarEntry(item.value);
        if (response === null) yield [item];
        else if (response === "no body") withoutBody++;
        else if (response !== "not text") yield* readHarResponse(response, context);
      } else if (item.splitPaths === undefined) yield [item];
    }
  }
  if (withoutBody > 0) context.note(`responses without a body: ${withoutBody}`);
}

/** Of the texts in a HAR only subtitles are data; scripts of the site are not. */
const SUBTITLE_TYPES = /vtt|xml|srt|plain/;

/** Scripts of the site have separators too. */
function isTableType(mime: string): boolean {
  return mime.includes("csv") || mime.includes("tab-separated");
}

async function* readHarResponse(response: HarResponse, context: ReadContext): AsyncGenerator<UnindexedItem[]> {
  const { capturedAt, url } = response;
  const origin = url === undefined ? {} : { url };
  const inner: ReadContext = { ...context, isWanted: () => true, harMime: response.mime };
  try {
    for await (const items of readItems(Readable.from([response.body]), response.name, inner)) {
      yield items.flatMap((item): UnindexedItem[] => {
        if (!("value" in item)) return "note" in item ? [] : [item];
        if (item.kind === "text" && !SUBTITLE_TYPES.test(response.mime)) return [];
        const { line: _line, ...document } = item;
        return [{ ...document, capturedAt, origin }];
      });
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    yield [{ refused: withDetail(error.refusal, "in a response") }];
  }
}
