/**
 * htmlparser2, loaded at its first use: few imports have HTML or XML, and to load it takes a parser thread as long as the
 * importers of three platforms.
 */
import { createRequire } from "node:module";
import type { Handler, Parser, ParserOptions } from "htmlparser2";
import { nestedTooDeepError } from "./parse-json.ts";

const load = createRequire(import.meta.url);
let library: typeof import("htmlparser2") | null = null;

/** Tags that are open at a time. The library takes the square of their number. */
const MAX_DEPTH = 5_000;

export function createHtmlParser(handler: Partial<Handler>, options?: ParserOptions): Parser {
  library ??= load("htmlparser2") as typeof import("htmlparser2");
  let depth = 0;
  const limited: Partial<Handler> = {
    ...handler,
    onopentag(...tag) {
      if (++depth > MAX_DEPTH) throw nestedTooDeepError(MAX_DEPTH);
      handler.onopentag?.(...tag);
    },
    onclosetag(...tag) {
      depth--;
      handler.onclosetag?.(...tag);
    },
  };
  return new library.Parser(limited, options);
}
