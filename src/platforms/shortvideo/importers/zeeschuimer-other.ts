/** Zeeschuimer and 4CAT captures of platforms that no slice is for: said once a record, and left out. */
import type { Importer } from "#api/importer.ts";
import { type Fields, isFields } from "#import/capture/field-readers.ts";
import { isEnvelope, isOurs } from "./zeeschuimer.ts";

/** Read by the slice of that platform. */
const ELSEWHERE = new Set(["instagram.com"]);

function foreignPlatform(value: unknown): string | undefined {
  const envelope = isEnvelope(value) ? value : importMeta(value);
  const platform = envelope?.["source_platform"];
  return typeof platform === "string" && !isOurs(platform) && !ELSEWHERE.has(platform) ? platform : undefined;
}

function importMeta(value: unknown): Fields | undefined {
  const meta = isFields(value) ? value["__import_meta"] : undefined;
  return isFields(meta) ? meta : undefined;
}

export const zeeschuimerOther: Importer = {
  name: "zeeschuimer-other",
  detects: ({ value }) => foreignPlatform(value) !== undefined,
  read({ value }, _file, collect) {
    const platform = foreignPlatform(value)
      ?.replaceAll(/[^\w.-]+/g, "")
      .slice(0, 40);
    collect.skip(
      `a capture of ${platform === undefined || platform === "" ? "an unnamed site" : platform}, which is of another platform`,
    );
  },
};
