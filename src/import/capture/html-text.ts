/** Plain text from texts that the platform hands out as HTML: tags go, breaks become lines, entities become characters. */
import { Parser } from "htmlparser2";
import { readFilledText } from "#import/capture/field-readers.ts";

export function plainTextOf(value: unknown): string | undefined {
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
