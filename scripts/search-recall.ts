/**
 * `node scripts/search-recall.ts < queries.txt`: compares search with a scan of every post in the configured store, one
 * query per line. A post matches if its title, text, hashtags, keywords or author's names contain every word. Prints the
 * share of the 200 most viewed matches that search finds, and the position of the most viewed one.
 */
import { text } from "node:stream/consumers";
import type { Account } from "#domain/account.ts";
import type { Post } from "#domain/post.ts";
import { readConfig } from "#config";
import { PLATFORMS } from "#platforms/registry.ts";
import { openStore } from "#serve/open-store.ts";
import type { SearchSource } from "#store/search/port.ts";
import type { Store } from "#store/store.ts";

const MATCHES = 200;
const FIRST = 10;
const PAGE = 50;

interface ScannedPost {
  key: string;
  views: number;
  /** Everything that is searched, in lower case. */
  text: string;
}

async function scanPosts(store: Store): Promise<ScannedPost[]> {
  const names = new Map<string, string>();
  const posts: { platform: string; id: string; post: Post }[] = [];
  await store.tables.snapshot(async (snapshot) => {
    for await (const rows of snapshot.read("records")) {
      for (const [platform = "", kind, id = "", header] of rows as string[][]) {
        if (kind === "account") {
          const { name, displayName } = JSON.parse(header ?? "{}") as Account;
          names.set(`${platform}/${id}`, `${name ?? ""}\n${displayName ?? ""}`);
        } else if (kind === "post") posts.push({ platform, id, post: JSON.parse(header ?? "{}") as Post });
      }
    }
  });
  return posts.map(({ platform, id, post }) => {
    const { title, text: caption, hashtags, keywords = [], authorId, counters } = post;
    const parts = [title, caption, ...hashtags, ...keywords, names.get(`${platform}/${authorId}`)];
    return { key: `${platform}/${id}`, views: counters.views ?? 0, text: parts.join("\n").toLowerCase() };
  });
}

async function search(store: Store, query: string): Promise<string[]> {
  const found: string[] = [];
  let sources: SearchSource[] = PLATFORMS.map(({ name }) => ({ platform: name, kind: "post" }));
  for (let more = true; more && found.length < 1_000;) {
    const page = await store.search({ text: query, sources, limit: PAGE, now: Math.floor(Date.now() / 1000) });
    found.push(...page.hits.flatMap((hit) => (hit.kind === "post" ? `${hit.platform}/${hit.record.id}` : [])));
    ({ sources, more } = page);
  }
  return found;
}

const store = await openStore(readConfig());
try {
  const posts = await scanPosts(store);
  const queries = (await text(process.stdin)).split("\n").filter((line) => line.trim() !== "");
  const figures = [];
  for (const query of queries) {
    const words = query.toLowerCase().split(/\s+/u);
    const matches = posts.filter((post) => words.every((word) => post.text.includes(word)));
    const expected = matches.toSorted((a, b) => b.views - a.views).slice(0, MATCHES);
    const found = await search(store, query);
    const missed = expected.filter(({ key }) => !found.includes(key));
    const recall = 1 - missed.length / Math.max(1, expected.length);
    const position = found.indexOf(expected[0]?.key ?? "") + 1;
    // A query without matches says nothing.
    if (expected.length > 0) figures.push({ recall, position });
    const place = position === 0 ? "not found" : `at ${position}`;
    console.log(`${query}: ${matches.length} matches, recall ${recall.toFixed(3)}, most viewed ${place}`);
    if (process.argv.includes("--missed")) for (const { key } of missed) console.log(`  missed ${key}`);
  }
  const mean = figures.reduce((sum, { recall }) => sum + recall, 0) / figures.length;
  const top = figures.filter(({ position }) => position > 0 && position <= FIRST).length;
  console.log(
    `${figures.length} queries with matches: mean recall ${mean.toFixed(3)}, most viewed among the first ${FIRST} in ${top}`,
  );
} finally {
  await store.close();
}
