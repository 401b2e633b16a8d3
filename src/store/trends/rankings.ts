/**
 * Builds all rankings in one pass over the posts and one over the posts of each hashtag and sound. Pure, and the same
 * for every store. Memory is bounded by the length of the rankings, not by the number of posts.
 */
import type { PlatformName } from "#domain/record.ts";
import {
  addTo,
  type DayGrowth,
  gainOf,
  type Growth,
  isWithin,
  MAX_ENTRIES,
  noSums,
  PERIOD_INDEXES,
  type PeriodIndex,
  type PerPeriod,
  perPeriod,
  sumsOn,
  TOP_POSTS,
  TOP_POSTS_AMONG,
  TOPIC_DEPTH,
  TREND_PERIODS,
  trendList,
  type TrendPeriod,
  type TrendSums,
} from "./growth.ts";

/** What a post counts for. */
export interface PostGrowth {
  country: string | null;
  growth: Growth;
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
  previousRank: PreviousRank;
}

/** Rank among the measured gains of the period before. Null if there is nothing to compare with: no such gain, or an estimate. */
export type PreviousRank = number | "new" | null;

interface Gain extends Ranked {
  posts: number;
  /** The days with a capture; empty for an estimate. */
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
  readonly #asOf: number | null;
  readonly #lists = new Map<string, ListRankings>();
  #group: KeyGroup | null = null;

  /** The period ends on a day; `asOf` is the same day if that is not today. */
  constructor(today: number, asOf: number | null = null) {
    this.#today = today;
    this.#asOf = asOf;
  }

  addPost(platform: PlatformName, key: string, { country, growth }: PostGrowth, topics: () => string[]): void {
    const sums = sumsOn(this.#today, growth);
    for (const scope of scopesOf(country)) {
      this.#rankingsOf(platform, "post", scope).add(key, sums, (index) => ({
        series: seriesOf(this.#today, index, growth.measured),
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
    const sums = sumsOn(this.#today, growth.growth);
    for (const scope of scopesOf(growth.country)) {
      let total = group.totals.get(scope);
      if (total === undefined) {
        group.totals.set(scope, (total = { sums: noSums(), days: new Map(), newest: [] }));
      }
      for (const name of SUMS) addTo(total.sums[name], sums[name]);
      for (const { day, values } of growth.growth.measured) {
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
      const entries = PERIOD_INDEXES.flatMap((index) => {
        const period = TREND_PERIODS[index];
        const ranksBefore = new Map(before[index].sorted().map(({ key }, rank) => [key, rank + 1]));
        const previousRank = ({ key, measured }: Gain): PreviousRank =>
          measured && ranksBefore.size > 0 ? (ranksBefore.get(key) ?? "new") : null;
        return now[index].sorted().map((gain) => ({ ...gain, period, previousRank: previousRank(gain) }));
      });
      if (entries.length > 0) yield { platform, name, entries };
    }
  }

  #rankingsOf(platform: PlatformName, kind: "post" | "hashtag" | "sound", country: string | null): ListRankings {
    const list = trendList(platform, kind, country, this.#asOf);
    let rankings = this.#lists.get(list);
    if (rankings === undefined) this.#lists.set(list, (rankings = new ListRankings(platform, kind)));
    return rankings;
  }

  #finishGroup(): void {
    if (this.#group === null) return;
    const { platform, kind, key, totals } = this.#group;
    for (const [scope, { sums, days, newest }] of totals) {
      const measured = Array.from(days, ([day, values]) => ({ day, values })).toSorted((a, b) => a.day - b.day);
      this.#rankingsOf(platform, kind, scope).add(key, sums, (index) => ({
        series: seriesOf(this.#today, index, measured),
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
  readonly now: PerPeriod<Top<Gain>>;
  readonly before: PerPeriod<Top<Ranked>>;

  constructor(platform: PlatformName, kind: string) {
    this.platform = platform;
    this.now = perPeriod(() => new Top(kind === "post" ? TOPIC_DEPTH : MAX_ENTRIES));
    this.before = perPeriod(() => new Top(MAX_ENTRIES));
  }

  /** Details are computed only for what may be ranked. */
  add(key: string, sums: TrendSums, details: (index: PeriodIndex) => Details): void {
    for (const index of PERIOD_INDEXES) {
      const now = this.now[index];
      const gain = { key, ...gainOf(sums, index) };
      if (now.accepts(gain)) {
        const { series, ...rest } = details(index);
        now.add({ ...gain, ...rest, series: gain.measured ? series : [] });
      }
      const before = this.before[index];
      const ranked = { key, measured: true, views: sums.before[index] };
      if (before.accepts(ranked)) before.add(ranked);
    }
  }
}

interface Ranked {
  /** A post's id, a folded hashtag or a sound's id. */
  key: string;
  /** Whether the gain was measured; else it is an estimate. */
  measured: boolean;
  views: number;
}

/** The measured gains, then the estimates, most views first, ties by key. Holds up to twice as many as it returns, to sort rarely. */
class Top<Entry extends Ranked> {
  readonly #size: number;
  #entries: Entry[] = [];
  #last: Entry | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  accepts(gain: Ranked): boolean {
    return gain.views > 0 && (this.#last === null || byGain(gain, this.#last) <= 0);
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length < 2 * this.#size) return;
    this.#entries = this.sorted();
    this.#last = this.#entries.at(-1) ?? null;
  }

  sorted(): Entry[] {
    return this.#entries.toSorted(byGain).slice(0, this.#size);
  }
}

function byGain(a: Ranked, b: Ranked): number {
  return Number(b.measured) - Number(a.measured) || b.views - a.views || (a.key < b.key ? -1 : 1);
}

/** A post counts without regard to its country, and for its country. */
function scopesOf(country: string | null): (string | null)[] {
  return country === null ? [null] : [null, country];
}

const SUMS = [
  "measured",
  "before",
  "measuredPosts",
  "estimated",
  "estimatedPosts",
] as const satisfies (keyof TrendSums)[];

function seriesOf(today: number, index: PeriodIndex, growth: readonly DayGrowth[]): [day: number, value: number][] {
  return growth.filter(({ day }) => isWithin(today, index, day)).map(({ day, values }) => [day, values[index]]);
}

function topPostsOf(posts: readonly { key: string; sums: TrendSums }[], index: PeriodIndex): string[] {
  return posts
    .map(({ key, sums }) => ({ key, ...gainOf(sums, index) }))
    .filter(({ views }) => views > 0)
    .toSorted(byGain)
    .slice(0, TOP_POSTS)
    .map(({ key }) => key);
}
