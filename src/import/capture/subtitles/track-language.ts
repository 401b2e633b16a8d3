import { readLanguage } from "../field-readers.ts";

/** `en`, `en-GB`; YouTube names the output of its speech recognition `en-orig`. */
export function parseTrackLanguage(name: string): { code: string; automatic: boolean } | null {
  const automatic = name.endsWith("-orig");
  const code = readLanguage(automatic ? name.slice(0, -"-orig".length) : name);
  return code === undefined ? null : { code, automatic };
}
