import { readLanguage } from "../field-readers.ts";

/** An id as YouTube issues them, of a track with a name of its own: eleven characters, the last one of sixteen. */
const TRACK_ID = /-[\w-]{10}[AEIMQUYcgkosw048]$/;

/** `en`, `en-GB`, `en-eEY6OEpapPo` with a track's id; YouTube names the output of its speech recognition `en-orig`. */
export function parseTrackLanguage(name: string): { code: string; automatic: boolean } | null {
  const automatic = name.endsWith("-orig");
  const code = readLanguage(automatic ? name.slice(0, -"-orig".length) : name.replace(TRACK_ID, ""));
  return code === undefined ? null : { code, automatic };
}
