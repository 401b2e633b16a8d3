/**
 * From one file to its documents, whatever kind of text it is. What cannot be read is yielded with its reason; only
 * faults of the program are thrown. Nothing here knows a platform.
 */
import { withDetail } from "#api/refusals.ts";
import { type Bytes, gather, peek } from "./byte-stream.ts";
import { readTable } from "./csv.ts";
import { detect, guardLength } from "./detect.ts";
import type { ParsedItem, Piece, Wanted } from "./document.ts";
import { type HarResponse, harResponse } from "./har.ts";
import { readJson } from "./json-stream.ts";
import { DEFAULT_SIZE_LIMITS, type SizeLimits, sizeText } from "./size-limits.ts";
import { readNdjson } from "./ndjson.ts";
import type { OpenedFile } from "./open-files.ts";
import { assignedJson, embeddedJson, withinScript } from "./html-json.ts";
import { toUtf8 } from "./text-encoding.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface DocumentsOptions {
  /** The first index wanted: what comes before is passed over, mostly without being built. */
  from?: number;
  limits?: Partial<SizeLimits>;
}

export async function* documents(
  file: Pick<OpenedFile, "segments" | "bytes">,
  options: DocumentsOptions = {},
): AsyncGenerator<ParsedItem> {
  const from = options.from ?? 0;
  const limits = { ...DEFAULT_SIZE_LIMITS, ...options.limits };
  const notes: string[] = [];
  const faults: UnreadableError[] = [];
  const source = untilFault(file.bytes(), (fault) => faults.push(fault));
  const reading: Reading = {
    limits,
    wanted: (ordinal) => ordinal >= from,
    note: (text) => notes.push(text),
    inHar: false,
  };
  let index = 0;
  try {
    for await (const batch of pieces(source, file.segments.at(-1) ?? "", reading)) {
      while (notes.length > 0) yield { note: notes.shift()! };
      for (const piece of batch) {
        if ("note" in piece) {
          yield piece;
          continue;
        }
        const at = index++;
        if (at < from || "skipped" in piece) continue;
        yield "refused" in piece ? { ...piece, index: at } : { capturedAt: null, origin: {}, ...piece, index: at };
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    faults.unshift(error);
  }
  while (notes.length > 0) yield { note: notes.shift()! };
  for (const fault of faults) yield { index: index++, refused: fault.refusal };
}

/** A stream that fails ends instead, so that what came before the fault is read to its last whole record. */
async function* untilFault(source: Bytes, tell: (fault: UnreadableError) => void): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    tell(error);
  }
}

interface Reading {
  limits: SizeLimits;
  wanted: Wanted;
  note: (text: string) => void;
  /** Inside an answer of a HAR; a HAR in a HAR is only JSON. */
  inHar: boolean;
}

const HEAD_BYTES = 64 * 1024;

async function* pieces(source: Bytes, name: string, reading: Reading): AsyncGenerator<Piece[]> {
  const { head, whole, bytes, close } = await peek(toUtf8(source, reading.note), HEAD_BYTES);
  try {
    const guard = guardLength(head.toString("utf8", 0, 256));
    const start = head.toString("utf8", guard, guard + HEAD_BYTES);
    const found = detect(start, whole && head.length - guard <= HEAD_BYTES, name);
    const text = guard === 0 ? bytes : without(bytes, guard);
    const { limits } = reading;
    switch (found.kind) {
      case "json":
        yield* found.har && !reading.inHar ? harPieces(text, reading) : readJson(text, reading);
        break;
      case "ndjson":
        yield* readNdjson(text, reading);
        break;
      case "table":
        yield* readTable(text, { ...reading, separator: found.separator });
        break;
      case "page":
        for (const json of embeddedJson(await wholeText(text, limits), limits.jsonDepth)) {
          if ("refused" in json)
            yield [{ refused: withDetail(json.refused, `in script ${json.name || "without id"}`) }];
          else yield [{ kind: "json", value: json.value, ...withinScript(json.name) }];
        }
        break;
      case "script":
        for (const json of assignedJson(await wholeText(text, limits), limits.jsonDepth)) {
          yield [{ kind: "json", value: json.value, ...withinScript(json.name) }];
        }
        break;
      case "text":
        yield [{ kind: "text", value: await wholeText(text, limits) }];
        break;
      case "binary":
        throw new UnreadableError("not_text");
      case "empty":
        yield [{ note: "the file is empty" }];
    }
  } finally {
    await close();
  }
}

async function wholeText(bytes: Bytes, limits: SizeLimits): Promise<string> {
  const limit = limits.textBytes;
  return (await gather(bytes, limit, `text_too_large: more than ${sizeText(limit)}`)).toString("utf8");
}

async function* without(bytes: Bytes, first: number): AsyncGenerator<Buffer> {
  let left = first;
  for await (const chunk of bytes) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

const ENTRIES = ["log", "entries"];

async function* harPieces(bytes: Bytes, reading: Reading): AsyncGenerator<Piece[]> {
  let unsaved = 0;
  const entries = readJson(bytes, { limits: reading.limits, wanted: () => true, alwaysSplit: ENTRIES });
  for await (const batch of entries) {
    for (const piece of batch) {
      if (!("value" in piece)) yield [piece];
      else if (piece.within?.path.join("/") === ENTRIES.join("/")) {
        const answer = harResponse(piece.value);
        if (answer === null) yield [piece];
        else if (answer === "no body") unsaved++;
        else if (answer !== "not text") yield* answerPieces(answer, reading);
      } else if (piece.emptied === undefined) yield [piece];
    }
  }
  if (unsaved > 0) reading.note(`captured without their bodies: ${unsaved} answers`);
}

/** Texts that are worth something on their own: subtitles. A site's scripts are not. */
const SUBTITLES = /vtt|xml|srt|plain/;

async function* answerPieces(answer: HarResponse, reading: Reading): AsyncGenerator<Piece[]> {
  const { capturedAt, url } = answer;
  const origin = url === undefined ? {} : { url };
  try {
    const inner: Reading = { ...reading, wanted: () => true, inHar: true };
    for await (const batch of pieces(once(answer.body), answer.name, inner)) {
      yield batch.flatMap((piece): Piece[] => {
        if (!("value" in piece)) return "note" in piece ? [] : [piece];
        if (piece.kind === "text" && !SUBTITLES.test(answer.mime)) return [];
        const { line: _, ...rest } = piece;
        return [{ ...rest, capturedAt, origin }];
      });
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    yield [{ refused: withDetail(error.refusal, "in an answer") }];
  }
}

async function* once(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
