/**
 * htmlparser2, loaded at its first use: few imports have HTML or XML, and to load it takes a parser thread as long as the
 * importers of three platforms.
 */
import { createRequire } from "node:module";
import type { Handler, Parser, ParserOptions } from "htmlparser2";

const load = createRequire(import.meta.url);
let library: typeof import("htmlparser2") | null = null;

export function createHtmlParser(handler: Partial<Handler>, options?: ParserOptions): Parser {
  library ??= load("htmlparser2") as typeof import("htmlparser2");
  return new library.Parser(handler, options);
}
