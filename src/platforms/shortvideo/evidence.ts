/**
 * Marks of TikTok's records: ids of 19 digits, which begin with the time, a secUid, which begins with its version, and fields
 * that only TikTok has.
 */
import { isFields } from "#import/capture/field-readers.ts";
import type { SiteEvidence } from "#import/capture/own-site.ts";

const ID_NAME = /(?:^|_|[a-z])[iI]d$|^(?:id|cid|uid|mid|id_str)$/;
const OWN_PARTS: ReadonlySet<string> = new Set(["itemStruct", "statsV2", "challengeInfo"]);
/** From 2014 to 2033, in seconds times 2^32. */
const ID = /^[67]\d{18}$/;

export const EVIDENCE: SiteEvidence = {
  site: "shortvideo",
  isOwn(name, value) {
    if (typeof value === "string") {
      if (name === "secUid" || name === "sec_uid") return value.startsWith("MS4w");
      if (name === "cha_name") return true;
      return value.length === 19 && ID.test(value) && ID_NAME.test(name);
    }
    return OWN_PARTS.has(name) && isFields(value);
  },
};
