/** Zeeschuimer exports: NDJSON lines that wrap TikTok's own objects. */
import type { Importer } from "#api/importer.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { readZeeschuimer } from "#import/capture/zeeschuimer.ts";
import { recogniseAll } from "../recognise.ts";

/** `tiktok.com`, `tiktok-comments`. */
export function isTikTok(platform: string | undefined): boolean {
  return platform !== undefined && /^tiktok\b/.test(platform);
}

export const zeeschuimer: Importer = {
  name: "zeeschuimer",
  detects: ({ value }) => isTikTok(readZeeschuimer(value)?.platform),
  read({ value }, file, collect) {
    const envelope = readZeeschuimer(value);
    if (envelope === undefined) return;
    const timed = withCaptureTime(collect, envelope.capturedAt);
    if (!recogniseAll(envelope.data, { url: null, file }, timed)) collect.refuse("unknown_record");
  },
};
