/**
 * Whose followers a list has. In a recording its URL names the account by an id or a secUid, and an earlier response has
 * shown the account: `--of` must not give it the lists of others who were visited, too.
 */
import type { AccountRef, Collector, DocumentContext, SourceFile } from "#api/importer.ts";
import { foldName } from "#domain/folding.ts";
import { readFilledText, readId, readObjectAt } from "#import/capture/field-readers.ts";
import { readSubjectName } from "./subject.ts";

interface Recording {
  /** Of accounts, by what a URL may name them. */
  ids: Map<string, string>;
  /** What URLs name the account of `--of`. */
  subjectKeys: readonly string[] | undefined;
}

const RECORDINGS = new WeakMap<SourceFile, Recording>();

function getRecording(file: SourceFile): Recording {
  const recording = RECORDINGS.get(file) ?? { ids: new Map(), subjectKeys: undefined };
  RECORDINGS.set(file, recording);
  return recording;
}

/** Remembers the accounts of a recording. */
export function withListOwners(collect: Collector, { url, file }: DocumentContext): Collector {
  if (url === null) return collect;
  const recording = getRecording(file);
  const subject = readSubjectName(file);
  return {
    ...collect,
    account(observed) {
      const id = collect.account(observed);
      const secUid = readFilledText(readObjectAt(observed.native)["secUid"]);
      const keys = secUid === undefined ? [id] : [id, secUid];
      for (const key of keys) recording.ids.set(key, id);
      if (subject !== undefined && foldName(observed.name ?? "") === foldName(subject)) recording.subjectKeys = keys;
      return id;
    },
  };
}

/** The account of `--of` where the URL names none, or the first that the recording has not shown. */
export function findListOwner({ url, file }: DocumentContext): AccountRef | undefined {
  const name = readSubjectName(file);
  const subject = name === undefined ? undefined : { name };
  const query = URL.parse(url ?? "")?.searchParams;
  const ownerId = readId(query?.get("user_id"));
  const key = ownerId ?? readFilledText(query?.get("secUid") ?? query?.get("sec_user_id"));
  if (key === undefined) return subject;
  const recording = getRecording(file);
  const id = recording.ids.get(key);
  if (id !== undefined) return { id };
  if (subject !== undefined) recording.subjectKeys ??= [key];
  if (recording.subjectKeys?.includes(key) === true) return subject;
  return ownerId === undefined ? undefined : { id: ownerId };
}
