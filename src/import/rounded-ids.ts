/**
 * Refuses ids that lost their last digits in a spreadsheet or in a number, for every reader. A spreadsheet keeps fifteen
 * digits, a floating-point number 53 bits. docs/importing.md has the rule.
 */
import type { AccountRef, Collector, SourceDocument, SourceFile } from "#api/importer.ts";
import { isFields } from "./capture/field-readers.ts";

const LONG_ID = /^\d{18,20}$/;
/** Here the distance of two floating-point numbers is 1,024, so that one id in a thousand is one by chance. */
const LEAST_SPARSE = 2 ** 62;

/** Whether the id has the form of one that was rounded. One genuine id in some hundreds has it too. */
export function looksRounded(id: string): boolean {
  if (id.length < 18 || !LONG_ID.test(id)) return false;
  if (/^0+$/.test(id.slice(15))) return true;
  if ((Number(id.slice(-3)) & 7) !== 0) return false;
  const number = Number(id);
  return number >= LEAST_SPARSE && (String(number) === id || BigInt(number) === BigInt(id));
}

/** `7.41E+18`, also with a comma. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?e\+?(?:1[5-9]|2\d)$/i;
const ID_NAME = /(?:id|^pk|^cid|id_str)$/i;
const ID_IN_TEXT = /(?<!\d)\d{18,20}(?!\d)/g;

/** Ids that a document has elsewhere than in the readers' fields. */
interface Mentions {
  /** Ids inside of texts such as addresses, which nothing rounds. */
  inTexts: Set<string>;
  /** The same by their first digits. */
  byDigits: Map<string, string[]>;
  /** Ids that are a whole value. */
  whole: Set<string>;
  /** Whether an id is written in scientific notation. */
  isScientific: boolean;
}

function findMentions(document: SourceDocument, file: SourceFile): Mentions {
  const mentions: Mentions = { inTexts: new Set(), byDigits: new Map(), whole: new Set(), isScientific: false };
  const addText = (text: string) => {
    for (const [id] of text.matchAll(ID_IN_TEXT)) {
      if (mentions.inTexts.has(id)) continue;
      mentions.inTexts.add(id);
      const key = digitsKey(id, 0);
      const ids = mentions.byDigits.get(key) ?? [];
      ids.push(id);
      mentions.byDigits.set(key, ids);
    }
  };
  for (const text of [document.origin.url ?? "", file.name, file.subject ?? ""]) addText(text);
  const values: [name: string, value: unknown][] = [["", document.value]];
  for (let entry = values.pop(); entry !== undefined; entry = values.pop()) {
    const [name, value] = entry;
    if (typeof value === "string") {
      if (LONG_ID.test(value)) mentions.whole.add(value);
      else if (SCIENTIFIC.test(value.trim())) mentions.isScientific ||= ID_NAME.test(name);
      else addText(value);
    } else if (typeof value === "number") {
      mentions.isScientific ||= value > Number.MAX_SAFE_INTEGER && ID_NAME.test(name);
    } else if (Array.isArray(value)) for (const item of value) values.push([name, item]);
    else if (isFields(value)) for (const member in value) values.push([member, value[member]]);
  }
  return mentions;
}

type Kind = "account" | "post" | "comment" | "sound" | "place";

/** Kinds of which a file has shown an id with all its digits, in a field of its own; `looks` bounds how often one is sought. */
const exactKinds = new WeakMap<SourceFile, { kinds: Set<Kind>; looks: number }>();
const MAX_LOOKS = 100;

/** Passes on what has whole ids; a record whose own id was rounded is refused, another loses only that id. */
export function refuseRoundedIds(collect: Collector, document: SourceDocument, file: SourceFile): Collector {
  let found: Mentions | undefined;
  const mentions = () => (found ??= findMentions(document, file));
  const exact = exactKinds.get(file) ?? { kinds: new Set<Kind>(), looks: 0 };
  exactKinds.set(file, exact);
  /** Ids that records here must not refer to. */
  const dropped = new Set<string>();

  /** The whole id, from an address if the field has a rounded one; undefined if nothing has it. */
  function restore(kind: Kind, id: string): string | undefined {
    if (!looksRounded(id)) {
      if (id.length >= 18 && !exact.kinds.has(kind) && exact.looks++ < MAX_LOOKS && mentions().whole.has(id)) {
        exact.kinds.add(kind);
      }
      return id;
    }
    const { inTexts, byDigits } = mentions();
    if (inTexts.has(id)) return id;
    // An address decides before the other ids of the file do.
    const near = [0, -1, 1].flatMap((step) => byDigits.get(digitsKey(id, step)) ?? []);
    const whole = near.find((other) => isSameRounded(id, other));
    if (whole !== undefined || exact.kinds.has(kind)) return whole ?? id;
    dropped.add(id);
    return undefined;
  }

  const keep = (kind: Kind, id: string | null | undefined) =>
    id == null ? id : dropped.has(id) ? null : (restore(kind, id) ?? null);
  const keepAll = (ids: readonly string[] | null | undefined) => ids?.flatMap((id) => keep("account", id) ?? []);
  const keepRef = (ref: AccountRef) => ("id" in ref && keep("account", ref.id) === null ? undefined : ref);
  const clean = <Native>(native: Native): Native =>
    dropped.size === 0 ? native : (withoutIds(native, dropped) as Native);

  return {
    ...collect,
    account(observed) {
      const { id } = observed;
      if (id == null || restore("account", id) !== undefined) return collect.account(observed);
      const { id: _, ...rest } = observed;
      if (typeof rest.name === "string" && rest.name !== "") {
        return collect.account({ ...rest, name: rest.name, native: clean(rest.native) });
      }
      collect.refuse(`id_rounded: ${id}`);
      return id;
    },
    post(observed) {
      const id = restore("post", observed.id);
      if (id === undefined) return collect.refuse(`id_rounded: ${observed.id}`);
      const { authorId, soundId, placeId, taggedIds, coauthorIds } = observed;
      const references = {
        ...(authorId != null && { authorId: keep("account", authorId) }),
        ...(soundId != null && { soundId: keep("sound", soundId) }),
        ...(placeId != null && { placeId: keep("place", placeId) }),
        ...(taggedIds != null && { taggedIds: keepAll(taggedIds) }),
        ...(coauthorIds != null && { coauthorIds: keepAll(coauthorIds) }),
      };
      collect.post({ ...observed, ...references, id, native: clean(observed.native) });
    },
    comment(observed) {
      const [id, postId] = [restore("comment", observed.id), restore("post", observed.postId)];
      const { parentId, authorId } = observed;
      const parent = parentId == null ? parentId : restore("comment", parentId);
      if (id === undefined || postId === undefined || (parentId != null && parent === undefined)) {
        const rounded = id === undefined ? observed.id : postId === undefined ? observed.postId : parentId;
        return collect.refuse(`id_rounded: ${rounded}`);
      }
      const references = authorId == null ? {} : { authorId: keep("account", authorId) };
      collect.comment({ ...observed, ...references, id, postId, parentId: parent, native: clean(observed.native) });
    },
    sound(observed) {
      const id = restore("sound", observed.id);
      if (id === undefined) return collect.refuse(`id_rounded: ${observed.id}`);
      collect.sound({ ...observed, id });
    },
    follow(observed) {
      const [account, follower] = [keepRef(observed.account), keepRef(observed.follower)];
      if (account === undefined || follower === undefined) collect.refuse("id_rounded");
      else collect.follow(observed);
    },
    subtitles(observed) {
      const postId = restore("post", observed.postId);
      if (postId === undefined) collect.refuse(`id_rounded: ${observed.postId}`);
      else collect.subtitles({ ...observed, postId });
    },
    refuse(reason) {
      const isNameless = /^(?:post|account|comment|sound)_without_(?:id|post)/.test(reason);
      collect.refuse(isNameless && mentions().isScientific ? "id_rounded" : reason);
    },
  };
}

/** Digits that are the same, except for a carry of one, in a whole id and a rounded one. */
const SAME_DIGITS = 14;

function digitsKey(id: string, carry: number): string {
  return `${id.length} ${Number(id.slice(0, SAME_DIGITS)) + carry}`;
}

/** Spreadsheets cut and numbers round, so that the fifteenth digit may differ. */
function isSameRounded(rounded: string, whole: string): boolean {
  return (
    rounded.length === whole.length && Math.abs(Number(rounded) - Number(whole)) < 10 ** (whole.length - SAME_DIGITS)
  );
}

function withoutIds(value: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof value === "string") return ids.has(value) ? undefined : value;
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, ids)).filter((item) => item !== undefined);
  if (!isFields(value)) return value;
  const kept = Object.entries(value).map(([name, item]) => [name, withoutIds(item, ids)] as const);
  return Object.fromEntries(kept.filter(([, item]) => item !== undefined));
}
