/** Deterministic random numbers, and texts made of them: words repeat as words do, counters are heavy-tailed. */
export type Random = () => number;

const TAGS = 5_000;
const WORDS = 30_000;
/** Posts of every size of corpus lie within the same two years, so that growth is growth and not age. */
const BEGIN = 1_720_000_000;
const SPAN = 2 * 365 * 86_400;
const SYLLABLES = "ka ro mi ten sol va li dor en pas tu gri fa nel ys bo".split(" ");

/** Uniform from 0 to 1 (mulberry32): the same for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** From 0 to below `size`, each as often as any other. */
export function uniform(random: Random, size: number): number {
  return Math.floor(random() * size);
}

/** From 0 to below `size`, small numbers far more often. */
export function skewed(random: Random, size: number): number {
  return Math.min(size - 1, Math.floor(size ** random()) - 1);
}

/** Mostly uniform, so that each has about the same, and for a fifth skewed, so that a few have very many. */
export function popular(random: Random, size: number): number {
  return random() < 0.2 ? skewed(random, size) : uniform(random, size);
}

export function word(number: number): string {
  let text = "";
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16];
  return text;
}

export function sentence(random: Random, min: number, max: number): string {
  return Array.from({ length: min + uniform(random, max - min) }, () => word(skewed(random, WORDS))).join(" ");
}

export function hashtags(random: Random): string[] {
  return [...new Set(Array.from({ length: 1 + uniform(random, 4) }, () => word(skewed(random, TAGS))))];
}

export function withHashtags(text: string, tags: readonly string[]): string {
  return `${text} ${tags.map((tag) => `#${tag}`).join(" ")}`;
}

export function views(random: Random): number {
  return Math.floor(10 ** (2 + random() * 5));
}

/** Unix seconds of the n-th of `count` posts. */
export function publishedAt(number: number, count: number): number {
  return BEGIN + Math.floor((number / count) * SPAN);
}
