/**
 * Reads pages of a Google Takeout that list activities, such as `watch-history.html`: a document per activity, with its
 * product, its links and its details. People have hundreds of megabytes of them, so they are streamed, unlike other pages.
 */
import { createHtmlParser } from "./html-parser.ts";
import type { ByteStream } from "./byte-stream.ts";
import type { IndexFilter, UnindexedItem } from "./document.ts";

/** An activity as the page shows it. */
export interface Activity {
  /** Such as `YouTube`. */
  product: string;
  links: { url: string; text: string }[];
  /** What stands below it: products, and why it is listed. */
  details: string;
}

/** The pages bring the style sheet of Material Design Lite along, and no script. */
export function isActivityPage(head: string): boolean {
  return /\bmdl-(?:grid|cell|typography)/.test(head) && !/<script\b/i.test(head);
}

/** An activity takes about a kilobyte. */
const MAX_TEXT = 64 * 1024;
const MAX_LINKS = 100;

function append(text: string, more: string): string {
  return text.length < MAX_TEXT ? text + more : text;
}

export async function* readActivityPage(
  bytes: ByteStream,
  { isWanted }: { isWanted: IndexFilter },
): AsyncGenerator<UnindexedItem[]> {
  let items: UnindexedItem[] = [];
  let nextIndex = 0;
  let activity: Activity | null = null;
  let part: "product" | "content" | "details" | null = null;
  let isInLink = false;

  function endActivity(): void {
    if (activity === null) return;
    items.push(
      isWanted(nextIndex++)
        ? { kind: "json", value: { activity }, location: { path: ["activity"], scalars: {} } }
        : { skipped: true },
    );
    activity = null;
  }

  const parser = createHtmlParser({
    onopentag(tag, attributes) {
      const classes = attributes["class"] ?? "";
      if (tag === "div" && classes.includes("outer-cell")) {
        endActivity();
        activity = { product: "", links: [], details: "" };
      } else if (classes.includes("header-cell")) part = "product";
      else if (classes.includes("content-cell")) part = classes.includes("--caption") ? "details" : "content";
      else if (tag === "a" && part === "content" && activity !== null) {
        if (activity.links.length < MAX_LINKS) activity.links.push({ url: attributes["href"] ?? "", text: "" });
        isInLink = true;
      }
    },
    ontext(text) {
      if (activity === null) return;
      const link = isInLink ? activity.links.at(-1) : undefined;
      if (link !== undefined) link.text = append(link.text, text);
      else if (part === "product") activity.product = append(activity.product, text.trim());
      else if (part === "details") activity.details = append(activity.details, text);
    },
    onclosetag(tag) {
      if (tag === "a") isInLink = false;
      else if (tag === "div") part = null;
    },
  });
  for await (const chunk of bytes) {
    parser.write(chunk.toString("utf8"));
    yield items;
    items = [];
  }
  parser.end();
  endActivity();
  yield items;
}
