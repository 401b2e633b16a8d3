/** HTML to plain text: drops tags, turns breaks into newlines and decodes entities. */
import { Parser } from "htmlparser2";
import { readFilledText } from "./field-readers.ts";

export function htmlToText(value: unknown): string | undefined {
  const html = readFilledText(value);
  if (html === undefined || !/[<&]/.test(html)) return html;
  let text = "";
  const parser = new Parser(
    {
      ontext: (part) => (text += part),
      onopentag: (name) => {
        if (name === "br") text += "\n";
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return readFilledText(text);
}
