/** Marks of Instagram's records: the keys and codes of its ids, and the names of its types and connections. */
import { isFields, readId } from "#import/capture/field-readers.ts";
import type { SiteEvidence } from "#import/capture/own-site.ts";

/** Ids of accounts and hashtags. */
const GRAPH_ID = /^17841\d{12}$/;
/** 64 bits in base 64, so that the first of eleven characters has two bits less; posts until 2013 have ten. */
const CODE = /^(?=.*\D)(?:[A-P][\w-]{10}(?:[\w-]{28})?|[\w-]{10})$/;
/** `<post>_<author>`, and of pictures `<picture>_<author>`. */
const JOINED_ID = /^\d{15,20}_\d+$/;
const TYPE_NAME = /^(?:XDT|XIG|Graph[A-Z])/;
/** Connections, also with their names of 2017. */
const OWN_PART = /^(?:edge_\w+|followed_by)$/;

export const EVIDENCE: SiteEvidence = {
  site: "photoshare",
  isOwn(name, value) {
    switch (name) {
      case "pk":
      case "pk_id":
        return readId(value) !== undefined;
      case "id":
      case "profile_pic_id":
        return typeof value === "string" && (GRAPH_ID.test(value) || JOINED_ID.test(value));
      case "fbid":
      case "fbid_v2":
      case "ig_id":
        return typeof value === "string" && GRAPH_ID.test(value);
      case "code":
      case "shortcode":
        return typeof value === "string" && CODE.test(value);
      case "__typename":
        return typeof value === "string" && TYPE_NAME.test(value);
      case "external_source":
        return value === "facebook_places";
      default:
        return OWN_PART.test(name) && isFields(value);
    }
  },
};
