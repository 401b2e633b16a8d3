/** A list of records as a JSON Feed 1.1 or an Atom feed (RFC 4287). Pure; the same records give the same bytes. */
import { hash } from "node:crypto";
import { provisionalId } from "#domain/provisional-id.ts";
import { escapeHtml } from "../page.ts";

/** What a feed needs of a record; both operations that feeds are made of have it. */
export interface FeedRecord {
  platform: string;
  kind: string;
  /** Null for a line of subtitles, and for an account of which only the name is known. */
  id: string | null;
  name?: string | null;
  title: string | null;
  text: string | null;
  post_id?: string | null;
  language?: string | null;
  start_s?: number | null;
  /** Unix seconds. */
  published_at: number | null;
  /** ISO 8601; null if unknown. */
  captured_at: string | null;
}

export interface Feed {
  title: string;
  /** Identifies the feed, independent of its key. */
  key: string;
  records: readonly FeedRecord[];
}

export type FeedFormat = "json" | "atom";

export const FEED_TYPES: Record<FeedFormat, string> = {
  json: "application/feed+json; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8",
};

const MAX_TITLE = 100;

export function renderFeed(feed: Feed, format: FeedFormat): string {
  return format === "json" ? renderJsonFeed(feed) : renderAtomFeed(feed);
}

function renderJsonFeed({ title, records }: Feed): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    items: records.map((record) => ({
      id: entryId(record),
      title: titleOf(record),
      content_text: contentOf(record),
      ...(record.published_at === null ? {} : { date_published: toIso(record.published_at) }),
      ...(record.captured_at === null ? {} : { date_modified: record.captured_at }),
      tags: [record.platform, record.kind],
    })),
  });
}

function renderAtomFeed({ title, key, records }: Feed): string {
  const updated = records.map(updateTime).toSorted();
  const entries = records.map((record) =>
    [
      "  <entry>",
      element("id", entryId(record)),
      element("title", titleOf(record)),
      element("updated", updateTime(record)),
      ...(record.published_at === null ? [] : [element("published", toIso(record.published_at))]),
      `    <category term="${escapeXml(record.platform)}"/>`,
      `    <category term="${escapeXml(record.kind)}"/>`,
      element("content", contentOf(record)),
      "  </entry>",
    ].join("\n"),
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>urn:triptych:feed:${hash("sha1", key, "hex")}</id>`,
    `  <title>${escapeXml(title)}</title>`,
    `  <updated>${updated.at(-1) ?? toIso(0)}</updated>`,
    "  <author><name>Triptych</name></author>",
    ...entries,
    "</feed>",
    "",
  ].join("\n");
}

function element(name: string, text: string): string {
  return `    <${name}>${escapeXml(text)}</${name}>`;
}

/** An id is for good: a reader shows a record once, however often it is captured. */
function entryId(record: FeedRecord): string {
  const parts = [record.platform, record.kind, ...identityOf(record)];
  return `urn:triptych:${parts.map(encodeURIComponent).join(":")}`;
}

function identityOf({ kind, id, name, post_id: post, start_s: start, language }: FeedRecord): string[] {
  if (id !== null) return [id];
  return kind === "account" ? [provisionalId(name ?? "")] : [post ?? "", String(start ?? 0), language ?? ""];
}

function titleOf({ title, name, text, kind }: FeedRecord): string {
  const line = (title ?? name ?? text ?? kind).replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= MAX_TITLE ? line || kind : `${characters.slice(0, MAX_TITLE - 1).join("")}…`;
}

function contentOf({ text, title, name }: FeedRecord): string {
  return text ?? title ?? name ?? "";
}

/** Atom requires one. */
function updateTime({ captured_at: captured, published_at: published }: FeedRecord): string {
  return captured ?? toIso(published ?? 0);
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

// oxlint-disable-next-line no-control-regex -- XML 1.0 has no way to write them
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replaceAll(NOT_IN_XML, ""));
}
