/**
 * Watch histories of a Google Takeout, as JSON or as a page. They name public videos and channels; who watched them and
 * when is private and is not stored. Search histories are private as a whole.
 */
import type { Collector, Importer, SourceDocument } from "#api/importer.ts";
import {
  type Fields,
  readFilledText,
  readItems,
  readObject,
  readObjectAt,
  readObjects,
  readText,
} from "#import/capture/field-readers.ts";
import { collectVideo } from "./collect-video.ts";
import { channelIdInUrl, readHandle, videoIdInUrl } from "./id-forms.ts";

interface Entry {
  /** The video's URL, or that of a search or a post. */
  url: string | undefined;
  title: string | undefined;
  channelUrl: string | undefined;
  channelTitle: string | undefined;
  isAdvertisement: boolean;
}

export const takeoutHistory: Importer = {
  name: "takeout history",

  detects: (document) => document.kind === "json" && readEntry(document) !== undefined,

  read(document, _file, collect) {
    const entry = readEntry(document);
    if (entry !== undefined) collectEntry(entry, collect);
  },
};

function collectEntry({ url, title, channelUrl, channelTitle, isAdvertisement }: Entry, collect: Collector): void {
  const id = videoIdInUrl(url);
  if (isAdvertisement) collect.skip("advertisement");
  else if (url?.includes("search_query=") === true) collect.skip("an entry of a search history, which is private");
  // For a video that is no longer available, the address stands in place of the title.
  else if (url === undefined || (id !== undefined && title?.startsWith("http") === true)) {
    collect.skip("a video that is deleted or private");
  } else if (id === undefined) collect.skip("an activity without a video");
  else {
    const channel = { id: channelIdInUrl(channelUrl), handle: readHandle(channelUrl), title: channelTitle };
    collectVideo({ id, title, channel }, collect);
  }
}

function readEntry({ value }: SourceDocument): Entry | undefined {
  const entry = readObject(value);
  if (entry === undefined) return undefined;
  const activity = readObject(entry["activity"]);
  return activity === undefined ? readJsonEntry(entry) : readPageEntry(activity);
}

function readJsonEntry(entry: Fields): Entry | undefined {
  const { header, title, time } = entry;
  if (typeof header !== "string" || typeof title !== "string" || typeof time !== "string") return undefined;
  if (!header.startsWith("YouTube") && !readItems(entry["products"]).includes("YouTube")) return undefined;
  const [channel = {}] = readObjects(entry["subtitles"]);
  return {
    url: readFilledText(entry["titleUrl"]),
    title: titleIn(title),
    channelUrl: readFilledText(channel["url"]),
    channelTitle: readFilledText(channel["name"]),
    isAdvertisement: readItems(entry["details"]).length > 0,
  };
}

function readPageEntry(activity: Fields): Entry | undefined {
  if (readFilledText(activity["product"])?.startsWith("YouTube") !== true) return undefined;
  const [video = {}, channel = {}] = readItems(activity["links"]).map((link) => readObjectAt(link));
  return {
    url: readFilledText(video["url"]),
    title: readFilledText(video["text"]),
    channelUrl: readFilledText(channel["url"]),
    channelTitle: readFilledText(channel["text"]),
    isAdvertisement: ADVERTISEMENT.test(readText(activity["details"]) ?? ""),
  };
}

/** In the languages that leave it out of the brand's name, too. */
const ADVERTISEMENT = /Google Ads|anuncios de Google/i;

/** How exports in the most common languages say that a video was watched. */
const WATCHED_BEFORE = ["Watched", "Has visto", "Vous avez regardé", "Hai guardato", "Assistiu a", "Você assistiu a"];
const WATCHED_AFTER = ["angesehen", "bekeken", "を視聴しました", "을(를) 시청했습니다."];

/** The title without the words around it; undefined in a language where they are not known. */
function titleIn(sentence: string): string | undefined {
  const text = sentence.replaceAll("\u00A0", " ").trim();
  const before = WATCHED_BEFORE.find((words) => text.startsWith(`${words} `));
  if (before !== undefined) return readFilledText(text.slice(before.length + 1).trim());
  const after = WATCHED_AFTER.find((words) => text.endsWith(` ${words}`));
  return after === undefined ? undefined : readFilledText(text.slice(0, -after.length - 1).trim());
}
