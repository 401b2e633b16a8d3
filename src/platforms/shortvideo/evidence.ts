/** By what TikTok's records are known: its ids of 19 digits begin with the time, and a secUid with its version. */
import { isFields } from "#import/capture/field-readers.ts";
import type { SiteEvidence } from "#import/capture/own-site.ts";

const ID_NAME = /(?:^|_|[a-z])[iI]d$|^(?:id|cid|uid|mid|id_str)$/;
/** From 2014 to 2033, in seconds times 2^32. */
const ID = /^[67]\d{18}$/;

export const EVIDENCE: SiteEvidence = {
  site: "shortvideo",
  isOwn(name, value) {
    if (typeof value === "string") {
      if (name === "secUid" || name === "sec_uid") return value.startsWith("MS4w");
      return value.length === 19 && ID.test(value) && ID_NAME.test(name);
    }
    return name === "itemStruct" && isFields(value);
  },
};
