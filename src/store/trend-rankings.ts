/**
 * Builds all rankings in one pass over the posts and one over the posts of each hashtag and sound. Pure, and the same
 * for every store. Memory is bounded by the length of the rankings, not by the number of posts.
 */
import type { PlatformName } from "#domain/record.ts";
import {
  type DayGrowth,
  MAX_ENTRIES,
  type PerPeriod,
  sumsOn,
  TOP_POSTS,
  TOP_POSTS_AMONG,
  TOPIC_DEPTH,
  TREND_PERIODS,
  trendList,
  type TrendPeriod,
  type TrendSums,
} from "./trends.ts";

/** What a post counts for. */
export interface PostGrowth {
  country: string | null;
  days: DayGrowth[];
}

/** A post of a hashtag or sound. */
export interface ListedPost {
  platform: PlatformName;
  kind: "hashtag" | "sound";
  key: string;
  postId: string;
  /** Null if the post gained nothing. */
  growth: PostGrowth | null;
}

/** Of a ranking; the entries of a period are in the order of their ranks. */
export interface TrendEntry extends Gain {
  period: TrendPeriod;
  previousRank: number | null;
}

interface Gain {
  /** A post's id, a folded hashtag or a sound's id. */
  key: string;
  views: number;
  posts: number;
  /** Days without gain are left out. */
  series: [day: number, value: number][];
  /** Of a post: its category and hashtags, folded. */
  topics: string[];
  /** Of a hashtag or sound. */
  topPostIds: string[];
}

export interface TrendList {
  platform: PlatformName;
  name: string;
  entries: TrendEntry[];
}

export class TrendRankings {
  readonly #today: number;
  readonly #lists = new Map<string, ListRankings>();
  #group: KeyGroup | null = null;

  constructor(today: number) {
    this.#today = today;
  }

  addPost(platform: PlatformName, key: string, { country, days }: PostGrowth, topics: () => string[]): void {
    const sums = sumsOn(this.#today, days);
    for (const scope of scopesOf(country)) {
      this.#rankingsOf(platform, "post", scope).add(key, sums, (index) => ({
        series: seriesOf(this.#today, index, days),
        topics: topics(),
        topPostIds: [],
      }));
    }
  }

  /** The posts of one key follow each other, newest first. */
  addListedPost({ platform, kind, key, postId, growth }: ListedPost): void {
    if (key === "") return;
    let group = this.#group;
    if (group === null || group.key !== key || group.kind !== kind || group.platform !== platform) {
      this.#finishGroup();
      this.#group = group = { platform, kind, key, posts: 0, totals: new Map() };
    }
    group.posts++;
    if (growth === null) return;
    const sums = sumsOn(this.#today, growth.days);
    for (const scope of scopesOf(growth.country)) {
      let total = group.totals.get(scope);
      if (total === undefined) {
        group.totals.set(scope, (total = { sums: [0, 0, 0, 0, 0, 0, 0, 0, 0], days: new Map(), newest: [] }));
      }
      addTo(total.sums, sums);
      for (const { day, values } of growth.days) {
        const dayTotal = total.days.get(day);
        if (dayTotal === undefined) total.days.set(day, [...values]);
        else addTo(dayTotal, values);
      }
      if (group.posts <= TOP_POSTS_AMONG) total.newest.push({ key: postId, sums });
    }
  }

  *lists(): Generator<TrendList> {
    this.#finishGroup();
    for (const [name, { platform, now, before }] of this.#lists) {
      const entries = TREND_PERIODS.flatMap((period, index) => {
        const ranksBefore = new Map((before[index] as Top<Ranked>).sorted().map(({ key }, rank) => [key, rank + 1]));
        return (now[index] as Top<Gain>)
          .sorted()
          .map((gain) => ({ ...gain, period, previousRank: ranksBefore.get(gain.key) ?? null }));
      });
      if (entries.length > 0) yield { platform, name, entries };
    }
  }

  #rankingsOf(platform: PlatformName, kind: "post" | "hashtag" | "sound", country: string | null): ListRankings {
    const list = trendList(platform, kind, country);
    let rankings = this.#lists.get(list);
    if (rankings === undefined) this.#lists.set(list, (rankings = new ListRankings(platform, kind)));
    return rankings;
  }

  #finishGroup(): void {
    if (this.#group === null) return;
    const { platform, kind, key, totals } = this.#group;
    for (const [scope, { sums, days, newest }] of totals) {
      const growth = Array.from(days, ([day, values]) => ({ day, values })).toSorted((a, b) => a.day - b.day);
      this.#rankingsOf(platform, kind, scope).add(key, sums, (index) => ({
        series: seriesOf(this.#today, index, growth),
        topics: [],
        topPostIds: topPostsOf(newest, index),
      }));
    }
    this.#group = null;
  }
}

interface KeyGroup {
  platform: PlatformName;
  kind: "hashtag" | "sound";
  key: string;
  /** Seen so far. */
  posts: number;
  /** By country; null for all. */
  totals: Map<string | null, KeyTotal>;
}

interface KeyTotal {
  sums: TrendSums;
  days: Map<number, PerPeriod>;
  newest: { key: string; sums: TrendSums }[];
}

type Details = Pick<Gain, "series" | "topics" | "topPostIds">;

/** The rankings of one list: of each period, and of the period before it. */
class ListRankings {
  readonly platform: PlatformName;
  readonly now: Top<Gain>[];
  readonly before: Top<Ranked>[];

  constructor(platform: PlatformName, kind: string) {
    this.platform = platform;
    this.now = TREND_PERIODS.map(() => new Top(kind === "post" ? TOPIC_DEPTH : MAX_ENTRIES));
    this.before = TREND_PERIODS.map(() => new Top(MAX_ENTRIES));
  }

  /** Details are computed only for what may be ranked. */
  add(key: string, sums: TrendSums, details: (index: number) => Details): void {
    for (let index = 0; index < TREND_PERIODS.length; index++) {
      const now = this.now[index] as Top<Gain>;
      const views = sums[index] as number;
      if (now.accepts(views)) now.add({ key, views, posts: sums[index + 6] as number, ...details(index) });
      const before = this.before[index] as Top<Ranked>;
      const viewsBefore = sums[index + 3] as number;
      if (before.accepts(viewsBefore)) before.add({ key, views: viewsBefore });
    }
  }
}

interface Ranked {
  key: string;
  views: number;
}

/** The entries with the most views, ties by key. Holds up to twice as many as it returns, to sort rarely. */
class Top<Entry extends Ranked> {
  readonly #size: number;
  #entries: Entry[] = [];
  #minViews = 1;

  constructor(size: number) {
    this.#size = size;
  }

  accepts(views: number): boolean {
    return views >= this.#minViews;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length < 2 * this.#size) return;
    this.#entries = this.sorted();
    this.#minViews = (this.#entries.at(-1) as Entry).views;
  }

  sorted(): Entry[] {
    return this.#entries.toSorted(byViews).slice(0, this.#size);
  }
}

function byViews(a: Ranked, b: Ranked): number {
  return b.views - a.views || (a.key < b.key ? -1 : 1);
}

/** A post counts without regard to its country, and for its country. */
function scopesOf(country: string | null): (string | null)[] {
  return country === null ? [null] : [null, country];
}

function addTo(sums: number[], more: readonly number[]): void {
  for (let index = 0; index < sums.length; index++) (sums[index] as number) += more[index] as number;
}

function seriesOf(today: number, index: number, growth: readonly DayGrowth[]): [day: number, value: number][] {
  const first = today - (TREND_PERIODS[index] as TrendPeriod) + 1;
  return growth
    .filter(({ day, values }) => day >= first && (values[index] as number) > 0)
    .map(({ day, values }) => [day, values[index] as number]);
}

function topPostsOf(posts: readonly { key: string; sums: TrendSums }[], index: number): string[] {
  return posts
    .map(({ key, sums }) => ({ key, views: sums[index] as number }))
    .filter(({ views }) => views > 0)
    .toSorted(byViews)
    .slice(0, TOP_POSTS)
    .map(({ key }) => key);
}
