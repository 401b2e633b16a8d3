/** HTML to plain text: drops tags, turns breaks into newlines and decodes entities. */
import { createHtmlParser } from "#import/containers/html-parser.ts";
import { readFilledText } from "./field-readers.ts";

export function htmlToText(value: unknown): string | undefined {
  const html = readFilledText(value);
  if (html === undefined || !/[<&]/.test(html)) return html;
  let text = "";
  const parser = createHtmlParser(
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
