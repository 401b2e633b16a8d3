/**
 * The site that an object's own addresses name: its page, else its address or link, else its pictures. Outgoing links, such
 * as `external_url`, links in a biography and addresses in a text, say nothing about whose record it is. URLs are parsed,
 * never fetched.
 */
import type { Collector, DocumentContext } from "#api/importer.ts";
import { type Fields, isFields } from "./field-readers.ts";

/** Hosts with everything below them; our platforms by name, other sites by the address that people know. */
const SITES: Readonly<Record<string, readonly string[]>> = {
  shortvideo: [
    "tiktok.com",
    "tiktokv.com",
    "tiktokv.us",
    "tiktokv.eu",
    "tiktokw.us",
    "tiktokw.eu",
    "musical.ly",
    "muscdn.com",
    "tiktokcdn.com",
    "tiktokcdn-us.com",
    "tiktokcdn-eu.com",
    "ibyteimg.com",
    "ibytedtos.com",
    "byteoversea.com",
  ],
  longvideo: ["youtube.com", "youtu.be", "youtube-nocookie.com", "ytimg.com", "googlevideo.com"],
  photoshare: ["instagram.com", "cdninstagram.com"],
  "x.com": ["x.com", "twitter.com", "twimg.com", "t.co", "nitter.net"],
  "twitch.tv": ["twitch.tv", "jtvnw.net", "ttvnw.net"],
  "reddit.com": ["reddit.com", "redd.it", "redditmedia.com", "redditstatic.com"],
  "facebook.com": ["facebook.com", "fb.com", "fb.watch", "messenger.com"],
  "threads.com": ["threads.com", "threads.net"],
  "bsky.app": ["bsky.app", "bsky.social"],
  "linkedin.com": ["linkedin.com", "licdn.com", "lnkd.in"],
  "pinterest.com": ["pinterest.com", "pinimg.com", "pin.it", "pinterest.co.uk", "pinterest.de", "pinterest.fr"],
  "snapchat.com": ["snapchat.com", "sc-cdn.net", "snap.com"],
  "telegram.org": ["telegram.org", "t.me", "telegram.me", "telesco.pe"],
  "tumblr.com": ["tumblr.com"],
  "vimeo.com": ["vimeo.com", "vimeocdn.com"],
  "dailymotion.com": ["dailymotion.com", "dai.ly", "dmcdn.net"],
  "vk.com": ["vk.com", "vk.ru", "userapi.com"],
  "kick.com": ["kick.com"],
  "rumble.com": ["rumble.com"],
  "bilibili.com": ["bilibili.com", "b23.tv", "hdslb.com"],
  "weibo.com": ["weibo.com", "weibo.cn", "sinaimg.cn"],
  "mastodon.social": ["mastodon.social"],
  "truthsocial.com": ["truthsocial.com"],
  "soundcloud.com": ["soundcloud.com", "sndcdn.com"],
  "kwai.com": ["kwai.com"],
};
const OURS: ReadonlySet<string> = new Set(["shortvideo", "longvideo", "photoshare"]);

const SITE_BY_HOST: ReadonlyMap<string, string> = new Map(
  Object.entries(SITES).flatMap(([site, hosts]) => hosts.map((host) => [host, site] as const)),
);
/** Bluesky names a record by its key. */
const AT_URI = /^at:\/\//i;
const HOST = /^(?:https?:)?\/\/(?:www\.)?([a-z0-9.-]+)(?::\d+)?(?=[/?#]|$)/i;
const BARE_HOST = /^(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)\//i;
/** Instagram, Threads and Facebook share hosts of pictures; the folder tells Instagram's, and so may the host. */
const PICTURE_OF_INSTAGRAM = /^https?:\/\/(?:instagram\.[a-z0-9.-]*fbcdn\.net\/|[a-z0-9.-]+\.fbcdn\.net\/v\/t51\.)/i;

/** Undefined for any other site. */
function siteOfUrl(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  let host = (HOST.exec(value) ?? BARE_HOST.exec(value))?.[1]?.toLowerCase();
  if (host === undefined) return AT_URI.test(value) ? "bsky.app" : undefined;
  if (PICTURE_OF_INSTAGRAM.test(value)) return "photoshare";
  for (let dot = 0; dot !== -1; host = host.slice(dot + 1)) {
    const site = SITE_BY_HOST.get(host);
    if (site !== undefined) return site;
    dot = host.indexOf(".");
  }
  return undefined;
}

/** From what decides to what only helps: where one names a site, those after it are not asked. */
const PAGE = 0;
const ADDRESS = 1;
const LINK = 2;
const PICTURE = 3;
const NONE = 4;

/** None begins with another, so that a name is read in one way only. */
const SUBJECTS =
  "web|post|tweet|video|reel|pin|thread|status|message|clip|profile|account|user|channel|author|owner|uploader|creator|page|canonical|share|permalink";
const PAGE_NAME = new RegExp(String.raw`^(?:permalink|(?:${SUBJECTS})+(?:url|link|uri))$`);
const PICTURE_NAME =
  /(?:avatar|pic|picture|image|img|photo|thumbnail|thumb|cover|display|media|banner)(?:url|link|src|uri)?(?:https|hd|large|larger|medium|thumb)?$/;

/** By the name as it is written, since a file repeats its names. */
const rankByName = new Map<string, number>();
const MAX_NAMES = 20_000;

function rankOf(name: string): number {
  let rank = rankByName.get(name);
  if (rank === undefined) {
    rank = computeRank(name.toLowerCase().replaceAll(/[_\-\s]/g, ""));
    if (rankByName.size < MAX_NAMES) rankByName.set(name, rank);
  }
  return rank;
}

function computeRank(name: string): number {
  if (PAGE_NAME.test(name)) return PAGE;
  if (name === "url" || name === "uri" || name === "href" || name === "inputurl") return ADDRESS;
  if (name === "link") return LINK;
  return PICTURE_NAME.test(name) ? PICTURE : NONE;
}

/** The sites that the object's own addresses name, those that decide; undefined if they name no known site. */
function findOwnSites(object: Fields): readonly string[] | undefined {
  let best = NONE;
  let sites: string[] | undefined;
  for (const name in object) {
    const rank = rankOf(name);
    if (rank > best || rank === NONE) continue;
    const site = siteOfUrl(object[name]);
    if (site === undefined) continue;
    if (rank < best || sites === undefined) sites = [site];
    else sites.push(site);
    best = rank;
  }
  return sites;
}

/** The site to which the object belongs, if it is not this one. */
function findOtherSite(object: Fields, site: string): string | undefined {
  const sites = findOwnSites(object);
  return sites === undefined || sites.includes(site) ? undefined : sites[0];
}

/** By what a platform's records are known. */
export interface SiteEvidence {
  /** The platform's name. */
  site: string;
  /** Whether a member's name and value are the platform's alone, such as an id of its form. */
  isOwn: (name: string, value: unknown) => boolean;
}

/** Records have their pictures and their author below them. */
const EVIDENCE_DEPTH = 4;
/** Lists repeat one kind of object. */
const LISTED = 3;

/** Whether the object, or what is inside it, is known to be the platform's: by an address, an id or a field. */
export function hasEvidence(object: Fields, evidence: SiteEvidence, depth = EVIDENCE_DEPTH): boolean {
  for (const name in object) {
    const value = object[name];
    if (value === null || value === undefined) continue;
    if (evidence.isOwn(name, value)) return true;
    if (typeof value === "string") {
      if (rankOf(name) !== NONE && siteOfUrl(value) === evidence.site) return true;
    } else if (depth > 0 && Array.isArray(value)) {
      const end = Math.min(value.length, LISTED);
      for (let at = 0; at < end; at++) {
        const item: unknown = value[at];
        if (isFields(item) && hasEvidence(item, evidence, depth - 1)) return true;
      }
    } else if (depth > 0 && isFields(value) && hasEvidence(value, evidence, depth - 1)) return true;
  }
  return false;
}

/** Counts records without keeping them. */
class CountingCollector implements Collector {
  records = 0;
  account = ({ id, name }: { id?: string | null; name?: string | null | undefined }): string => {
    this.records++;
    return id ?? name ?? "";
  };
  readonly #count = (): void => void this.records++;
  post = this.#count;
  comment = this.#count;
  sound = this.#count;
  hashtag = this.#count;
  place = this.#count;
  subtitles = this.#count;
  follow = this.#count;
  chartEntry = this.#count;
  refuse = (): void => undefined;
  skip = (): void => undefined;
}

/** Whether the response's URL or the user's `--of` names the platform: by an address, an id or a code. */
function isNamed({ site, isOwn }: SiteEvidence, { url, file }: Partial<DocumentContext>): boolean {
  const subject = file?.subject ?? null;
  if (siteOfUrl(url) === site || siteOfUrl(subject) === site) return true;
  return subject !== null && (isOwn("id", subject) || isOwn("code", subject));
}

/**
 * Keeps from a recogniser what is not its platform's: an object that it would take is refused where the object's own
 * address names another site, and where nothing in it or around it names the platform. Objects of another of our platforms
 * are left to its own.
 */
export function keepOwnSite<Rest extends unknown[]>(
  evidence: SiteEvidence,
  contextOf: (...rest: Rest) => Partial<DocumentContext> | undefined,
  recognise: (object: Record<string, unknown>, collect: Collector, ...rest: Rest) => boolean,
): typeof recognise {
  return (object, collect, ...rest) => {
    if (collect instanceof CountingCollector) return recognise(object, collect, ...rest);
    const other = findOtherSite(object, evidence.site);
    const isKnown = isNamed(evidence, contextOf(...rest) ?? {}) || hasEvidence(object, evidence);
    if (other === undefined && isKnown) return recognise(object, collect, ...rest);
    const counted = new CountingCollector();
    // Nothing below it is walked while counting.
    const quiet = rest.map((given) => (typeof given === "function" ? () => undefined : given)) as Rest;
    if (!recognise(object, counted, ...quiet)) return false;
    if (counted.records === 0) return recognise(object, collect, ...rest);
    if (other !== undefined && OURS.has(other)) return false;
    collect.refuse(other === undefined ? "site_unknown" : `other_site: ${other}`);
    return true;
  };
}

/** Members in which tools and services wrap their records. */
const WRAPPERS = ["data", "items", "results", "result", "records", "rows", "users", "posts", "videos", "collector"];

/** The document's value without the records of other sites: undefined if none is left. `others`: theirs, one for each. */
export function withoutOtherSites(value: unknown, site: string): { value: unknown; others: string[] } {
  if (Array.isArray(value)) {
    const others: string[] = [];
    const own = value.filter((record) => {
      const other = isFields(record) ? findOtherSite(record, site) : undefined;
      if (other !== undefined) others.push(other);
      return other === undefined;
    });
    if (others.length === 0) return { value, others };
    return { value: own.length === 0 ? undefined : own, others };
  }
  if (!isFields(value)) return { value, others: [] };
  const other = findOtherSite(value, site);
  if (other !== undefined) return { value: undefined, others: [other] };
  for (const name of WRAPPERS) {
    const list = value[name];
    if (!Array.isArray(list) || !isFields(list[0])) continue;
    const { value: own = [], others } = withoutOtherSites(list, site);
    if (others.length > 0) return { value: { ...value, [name]: own }, others };
  }
  return { value, others: [] };
}
