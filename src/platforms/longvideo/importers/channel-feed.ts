/** The Atom feed of a channel (`/feeds/videos.xml?channel_id=…`): its newest fifteen videos. */
import { createHtmlParser } from "#import/containers/html-parser.ts";
import type { Importer } from "#api/importer.ts";
import { readCount, readFilledText, readMeasure, readText, readTimestamp } from "#import/capture/field-readers.ts";
import { collectChannel, collectVideo } from "./collect-video.ts";
import { isChannelId, readVideoId } from "./id-forms.ts";
import { readThumbnails } from "./thumbnails.ts";

/** Texts and attributes of one entry, or of the feed itself, by the name of the element. */
interface Element {
  texts: Map<string, string>;
  attributes: Map<string, Record<string, string>>;
}

interface Feed {
  channel: Element;
  entries: Element[];
}

/** Its namespaces are declared at the beginning. */
const HEAD_CHARACTERS = 2_000;
const NAMESPACE = "http://www.youtube.com/xml/schemas/";

function isFeed(head: string): boolean {
  const tag = head.indexOf("<feed");
  return tag !== -1 && head.slice(tag).split(">", 1)[0]?.includes(NAMESPACE) === true;
}

export const channelFeed: Importer = {
  name: "channel-feed",
  detects: ({ kind, value }) => kind === "text" && typeof value === "string" && isFeed(value.slice(0, HEAD_CHARACTERS)),
  read({ value }, _file, collect) {
    const { channel, entries } = parseFeed(readText(value) ?? "");
    const channelId = toChannelId(channel.texts.get("yt:channelId"));
    const title = readFilledText(channel.texts.get("title"));
    if (channelId !== undefined)
      collectChannel({ id: channelId, title, createdAt: readTimestamp(channel.texts.get("published")) }, collect);
    for (const { texts, attributes } of entries) {
      const thumbnail = attributes.get("media:thumbnail");
      collectVideo(
        {
          id: readVideoId(texts.get("yt:videoId")),
          title: readFilledText(texts.get("title")),
          description: readText(texts.get("media:description")),
          channel: {
            id: toChannelId(texts.get("yt:channelId")) ?? channelId,
            title: readFilledText(texts.get("name")) ?? title,
          },
          publishedAt: readTimestamp(texts.get("published")),
          counters: {
            views: readCount(attributes.get("media:statistics")?.["views"]),
            likes: readCount(attributes.get("media:starRating")?.["count"]),
          },
          hasFewThumbnails: true,
          native: {
            thumbnails: readThumbnails([
              thumbnail && {
                url: thumbnail["url"],
                width: readMeasure(thumbnail["width"]),
                height: readMeasure(thumbnail["height"]),
              },
            ]),
          },
        },
        collect,
      );
    }
  },
};

/** The feed's own element has the id without its `UC`. */
function toChannelId(text: string | undefined): string | undefined {
  const id = text?.trim();
  return [id, `UC${id}`].find(isChannelId);
}

function newElement(): Element {
  return { texts: new Map(), attributes: new Map() };
}

function parseFeed(xml: string): Feed {
  const feed: Feed = { channel: newElement(), entries: [] };
  let current = feed.channel;
  let text = "";
  const parser = createHtmlParser(
    {
      onopentag(name, attributes) {
        if (name === "entry") feed.entries.push((current = newElement()));
        else if (!current.attributes.has(name)) current.attributes.set(name, attributes);
        text = "";
      },
      ontext: (part) => (text += part),
      onclosetag(name) {
        if (name === "entry") current = feed.channel;
        else if (!current.texts.has(name) && text.trim() !== "") current.texts.set(name, text.trim());
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return feed;
}
