/**
 * Questions at random over all operations: about what a world holds and what earlier answers showed, pages that go on,
 * tokens of other questions, wrong values, parts of answers. The same seed and the same answers give the same questions.
 */
import { PLATFORMS as SLICES } from "#platforms/registry.ts";
import type { Batch } from "#store/write/port.ts";
import { seeded } from "../bench/random.ts";
import { OPERATIONS, parameterLocationOf } from "./http-client.ts";
import { GOOD_REQUESTS } from "./world.ts";
import { type Parameter, PARAMETERS, wrongValues } from "./wrong-values.ts";

export interface RandomRequest {
  operation: string;
  parameters: Record<string, string>;
  headers: Record<string, string>;
}

type Kind = "account" | "name" | "post" | "sound" | "tag" | "word" | "phrase" | "token" | "cursor";

const POOL_SIZE = 4_000;
const COUNTRIES = ["US", "us", "HU", "MX", "JP", "BR", "DE", "ZZ"];
const LANGUAGES = ["en", "en-GB", "hu", "ja", "pt-BR", "es", "de", "sv"];
const DAYS = ["2023-11-14", "2026-11-01", "2026-11-14", "2026-11-15", "2027-01-01"];
const TOKENS = new Set(["search_id", "continuation_token", "pagination_token"]);

const PLATFORMS = SLICES.map(({ name }) => name);

export class RandomRequests {
  readonly #random: () => number;
  /** By platform and kind; what belongs to no platform, such as a token, under its operation. */
  readonly #pools = new Map<string, string[]>();
  /** Next pages of answers that had one. */
  #further: RandomRequest[] = [];

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error("nothing to pick from");
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  from(platform: string, kind: Kind): string {
    const at = this.chance(0.05) ? this.pick(PLATFORMS) : platform;
    return this.pick(this.#pools.get(`${at} ${kind}`) ?? ["nothing"]);
  }

  next(): RandomRequest {
    if (this.#further.length > 0 && this.chance(0.3)) return this.#further.pop() as RandomRequest;
    return this.nextOf(this.pick(OPERATIONS).name);
  }

  nextOf(name: string): RandomRequest {
    const parameters: Record<string, string> = {};
    for (const parameter of PARAMETERS.filter(({ operation }) => operation === name)) {
      if (!this.chance(parameter.required ? 0.98 : 0.3)) continue;
      const wrong = this.chance(0.04);
      const value = wrong ? this.pick(wrongValues(parameter)) : this.#valueOf(parameter, parameters);
      // Words are cut without regard to characters of two halves.
      parameters[parameter.name] = value.toWellFormed();
    }
    if (this.chance(0.15)) parameters["fields"] = this.#fields(name);
    return { operation: name, parameters, headers: this.chance(0.1) ? { prefer: "unknown=null" } : {} };
  }

  /** What the records of a batch can be asked for with. */
  learnBatch(platform: string, batch: Batch): void {
    const { accounts = [], posts = [], sounds = [], hashtags = [], places = [], comments = [] } = batch;
    for (const { id, name, displayName } of accounts) {
      this.#keep(platform, "account", id);
      if (name !== null) this.#keep(platform, "name", name);
      this.#learnText(platform, displayName);
    }
    for (const { id, title, text, hashtags: tags } of posts) {
      this.#keep(platform, "post", id);
      for (const tag of tags) this.#keep(platform, "tag", tag);
      this.#learnText(platform, title);
      this.#learnText(platform, text);
    }
    for (const { id, title } of sounds) {
      this.#keep(platform, "sound", id);
      this.#learnText(platform, title);
    }
    for (const { name } of hashtags) this.#keep(platform, "tag", name);
    for (const { name } of places) this.#learnText(platform, name);
    for (const { text } of comments) if (this.chance(0.05)) this.#learnText(platform, text);
  }

  /** What an answer shows: ids and names to look up, and how its next page is asked for. */
  learnResponse(question: RandomRequest, text: string): void {
    const platform = platformOf(question.operation, question.parameters);
    const found: Record<string, string> = {};
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value === "string" && value !== "") this.#learnField(platform, key, value);
      if (TOKENS.has(key) && typeof value === "string" && value !== "") found[key] = value;
      if (key === "cursor" && typeof value === "number" && value > 0) found[key] = String(value);
      if (key === "impr_id") found["search_id"] = String(value);
      return value;
    });
    const known = PARAMETERS.filter(({ operation }) => operation === question.operation);
    const next = Object.entries(found).filter(([name]) => known.some((parameter) => parameter.name === name));
    for (const [name, value] of next) this.#keep(question.operation, name === "cursor" ? "cursor" : "token", value);
    if (next.length === 0) return;
    const parameters = { ...question.parameters, ...Object.fromEntries(next) };
    this.#further = [...this.#further.slice(-50), { ...question, parameters }];
  }

  #learnField(platform: string, key: string, value: string): void {
    if (/^(?:id|pk|video_id|videoId|doc_id_str|post_id|aweme_id)$/.test(key)) this.#keep(platform, "post", value);
    else if (/^(?:uniqueId|unique_id|username)$/.test(key)) this.#keep(platform, "name", value);
    else if (/^(?:desc|title|text|caption)$/.test(key) && this.chance(0.1)) this.#learnText(platform, value);
  }

  #learnText(platform: string, text: string | null): void {
    const words = (text ?? "").split(/\s+/).filter((word) => word !== "" && word.length <= 40);
    for (const [index, word] of words.entries()) {
      if (!this.chance(0.3)) continue;
      this.#keep(platform, "word", word);
      const second = words[index + 1];
      if (second !== undefined) this.#keep(platform, "phrase", `${word} ${second}`);
    }
  }

  #keep(platform: string, kind: Kind, value: string): void {
    const pool = `${platform} ${kind}`;
    const kept = this.#pools.get(pool) ?? [];
    this.#pools.set(pool, kept);
    if (kept.length < POOL_SIZE) kept.push(value);
    else kept[Math.floor(this.#random() * POOL_SIZE)] = value;
  }

  #valueOf({ operation, name, schema }: Parameter, others: Record<string, string>): string {
    if (schema.enum !== undefined) return String(this.pick(schema.enum));
    if (schema.const !== undefined) return schema.const;
    if (name === "cursor")
      return this.chance(0.7) ? this.from(operation, "cursor") : String(Math.floor(this.#random() * 2e9));
    if (schema.type === "integer") return String(1 + Math.floor(this.#random() ** 2 * (schema.maximum ?? 100)));
    if (schema.format === "country") return this.pick(COUNTRIES);
    if (schema.format === "bcp47") return this.pick(LANGUAGES);
    if (schema.format === "date") return this.pick(DAYS);
    if (TOKENS.has(name)) return this.from(operation, "token");
    return this.#textFor(operation, name, others);
  }

  #textFor(operation: string, name: string, others: Record<string, string>): string {
    const platform = platformOf(operation, others);
    switch (name) {
      case "platform":
        return this.pick([...PLATFORMS, `${this.pick(PLATFORMS)},${this.pick(PLATFORMS)}`]);
      case "musicId":
        return this.from(platform, "sound");
      case "videoId":
      case "video_id":
        return this.from(platform, "post");
      case "url":
        return `https://www.tiktok.com/@${this.from(platform, "name")}/video/${this.from(platform, "post")}`;
      case "uniqueId":
      case "username_or_url":
        return this.pick([
          this.from(platform, "name"),
          this.from(platform, "name"),
          `@${this.from(platform, "name").toUpperCase()}`,
        ]);
      case "hashtag":
        return this.pick([
          this.from(platform, "tag"),
          `#${this.from(platform, "tag")}`,
          this.from(platform, "tag").toUpperCase(),
        ]);
      case "id":
        return this.from(
          platform,
          ({ account: "name", post: "post", sound: "sound", hashtag: "tag" } as const)[others["kind"] ?? operation] ??
            "account",
        );
      case "keyword":
      case "query":
      case "search_query":
      case "q":
        return this.#query(platform);
      default:
        return this.chance(0.5) ? (GOOD_REQUESTS[operation]?.[name] ?? "nothing") : this.from(platform, "post");
    }
  }

  /** In the query language of docs/search.md, mistakes included. */
  #query(platform: string): string {
    const word = () => this.from(platform, "word");
    const part = () =>
      this.pick([
        word,
        word,
        word,
        () => this.#mistyped(word()),
        () => word().slice(0, 1 + Math.floor(this.#random() * 4)),
        () => `"${this.from(platform, "phrase")}"`,
        () => this.from(platform, "phrase"),
        () => `-${word()}`,
        () => `${word()} OR ${word()}`,
        () => `#${this.from(platform, "tag")}`,
        () => `@${this.from(platform, "name")}`,
        () => `from:${this.from(platform, "name")}`,
        () => `lang:${this.pick(LANGUAGES)}`,
        () => `sound:${this.from(platform, "sound")}`,
        () => `${this.pick(["since", "until"])}:${this.pick(DAYS)}`,
        () => `min_${this.pick(["views", "likes"])}:${this.pick(["1", "100", "10k", "many"])}`,
      ])();
    const parts = Array.from({ length: this.pick([1, 1, 2, 2, 3]) }, part);
    return parts.join(" ").slice(0, 200) + (this.chance(0.2) ? " " : "");
  }

  #mistyped(word: string): string {
    const at = Math.floor(this.#random() * word.length);
    return word.slice(0, at) + this.pick(["", "x", word.slice(at, at + 1).repeat(2)]) + word.slice(at + 1);
  }

  #fields(operation: string): string {
    const { output } = OPERATIONS.find(({ name }) => name === operation)?.endpoint ?? {};
    const { properties, items } = output as { properties?: object; items?: { properties?: object } };
    const names = Object.keys(properties ?? items?.properties ?? {});
    return this.chance(0.1) ? "nonsense" : [this.pick(names), this.pick(names)].join(",");
  }
}

/** Of an operation over all of them: the one that is asked about, else any. */
function platformOf(operation: string, { platform = "" }: Record<string, string>): string {
  const [own = ""] = operation.split("/");
  return PLATFORMS.find((name) => name === own || platform.startsWith(name)) ?? "photoshare";
}

/** The question as one line, for a message. */
export function describeRequest({ operation, parameters, headers }: RandomRequest): string {
  return `${parameterLocationOf(operation)} of ${operation} ${JSON.stringify(parameters)} ${JSON.stringify(headers)}`;
}
