/** Zeeschuimer and 4CAT captures of platforms that Triptych does not support: skipped with a note per record. */
import type { Importer } from "#api/importer.ts";
import { read4cat, readZeeschuimer } from "#import/capture/zeeschuimer.ts";
import { isTikTok } from "./zeeschuimer.ts";

/** Read by another platform's importers. */
const SUPPORTED_ELSEWHERE = new Set(["instagram.com"]);

function unsupportedPlatform(value: unknown): string | undefined {
  const platform = (readZeeschuimer(value) ?? read4cat(value))?.platform;
  return platform === undefined || isTikTok(platform) || SUPPORTED_ELSEWHERE.has(platform) ? undefined : platform;
}

export const zeeschuimerOther: Importer = {
  name: "zeeschuimer-other",
  detects: ({ value }) => unsupportedPlatform(value) !== undefined,
  read({ value }, _file, collect) {
    const platform = unsupportedPlatform(value)
      ?.replaceAll(/[^\w.-]+/g, "")
      .slice(0, 40);
    collect.skip(`a capture of ${platform || "an unnamed site"}, which is not supported`);
  },
};
