/** Questions to the demo world. Its records are found by what they say, so that a change of its ids changes nothing here. */
import { demoWorld } from "#import/demo-world.ts";
import { demoTime } from "#testing/demo-store.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import { type JudgedQuery, judge } from "./judged-query.ts";
import type { Platform } from "./relevant-doc.ts";

interface Named {
  id: string;
  name: string | null;
}

/** What of the demo world the judgements need. */
class DemoRecords {
  readonly #posts = new Map<string, Post[]>();
  readonly #comments = new Map<string, Comment[]>();
  readonly #names: Named[] = [];

  constructor() {
    for (const { platform, batch } of demoWorld(demoTime())) {
      this.#posts.set(platform, [...(this.#posts.get(platform) ?? []), ...(batch.posts ?? [])]);
      this.#comments.set(platform, [...(this.#comments.get(platform) ?? []), ...(batch.comments ?? [])]);
      if (platform !== "photoshare") {
        for (const { id, title } of batch.sounds ?? []) this.#names.push({ id, name: title });
        continue;
      }
      for (const { id, displayName } of batch.accounts ?? []) this.#names.push({ id, name: displayName });
      for (const { id, name } of batch.places ?? []) this.#names.push({ id, name });
    }
  }

  /** Long videos whose title says all of this. */
  titled(...parts: string[]): string[] {
    return this.#where("longvideo", ({ title }) => holdsAll(title, parts));
  }

  /** Posts whose title or caption says all of this. */
  saying(platform: Platform, ...parts: string[]): string[] {
    return this.#where(platform, ({ title, text }) => holdsAll(`${title ?? ""} ${text ?? ""}`, parts));
  }

  remarking(platform: Platform, ...parts: string[]): string[] {
    const fitting = (this.#comments.get(platform) ?? []).filter(({ text }) => holdsAll(text, parts));
    return found(
      parts.join(" "),
      fitting.map(({ id }) => id),
    );
  }

  /** People, places and sounds of exactly this name. */
  called(...names: string[]): string[] {
    return found(
      names.join(", "),
      this.#names.filter(({ name }) => name !== null && names.includes(name)).map(({ id }) => id),
    );
  }

  #where(platform: Platform, fits: (post: Post) => boolean): string[] {
    const ids = (this.#posts.get(platform) ?? []).filter(fits).map(({ id }) => id);
    return found(fits.toString(), ids);
  }
}

function holdsAll(text: string | null, parts: readonly string[]): boolean {
  return text !== null && parts.every((part) => text.toLowerCase().includes(part.toLowerCase()));
}

/** A judgement about nothing would hold for any answer. */
function found(what: string, ids: string[]): string[] {
  if (ids.length === 0) throw new Error(`the demo world has nothing for ${what}`);
  return ids;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  return found(
    "what is left",
    ids.filter((id) => !others.includes(id)),
  );
}

export function demoQueries(): JudgedQuery[] {
  const demo = new DemoRecords();
  const latin = judge("Latin");
  const arabic = judge("Arabic");
  const japanese = judge("Japanese");
  const hindi = judge("Devanagari");
  const comments = { parameters: { kind: "comment", platform: "longvideo" } };
  const sounds = { parameters: { kind: "sound" } };
  return [
    latin(
      "exact title",
      "longvideo",
      "charcoal skewers after midnight",
      demo.titled("charcoal skewers after midnight"),
    ),
    latin(
      "exact title",
      "longvideo",
      "Seeing a faint comet from a balcony in Berlin",
      demo.titled("a faint comet from a balcony in Berlin"),
    ),
    latin("words", "longvideo", "cardboard sea leipzig", demo.titled("The Cardboard Sea", "Leipzig")),
    latin("title over caption", "longvideo", "moon ferry speedrun", demo.titled("Moon Ferry", "speedrun")),
    latin("phrase", "longvideo", '"an early gambit"', demo.titled("an early gambit")),
    latin(
      "not",
      "longvideo",
      '"bathroom sink" -diptychs',
      without(demo.titled("bathroom sink"), demo.saying("longvideo", "diptychs")),
      { absent: demo.saying("longvideo", "diptychs") },
    ),
    latin("typo", "longvideo", "charcoal skewrs portland", demo.titled("charcoal skewers", "Portland")),
    latin("prefix", "longvideo", "half-frame dipt", demo.titled("half-frame diptychs")),
    latin("accent", "longvideo", "tranvia lento oaxaca", demo.titled("Tranvía Lento", "Oaxaca")),
    latin("words", "longvideo", "nueve paraguas cortometraje", demo.titled("Nueve Paraguas", "cortometraje")),
    latin("accent", "longvideo", "toste cafe sarten", demo.titled("Tosté café en una sartén")),
    latin("words", "shortvideo", "tall pitcher glaze ran", demo.saying("shortvideo", "The glaze ran", "tall pitcher")),
    latin("from", "shortvideo", "from:nora.lindqvist moon jar", ["7300000000000000001"]),
    latin(
      "words",
      "shortvideo",
      "cart behind the station sesame buns",
      demo.saying("shortvideo", "cart behind the station", "sesame buns"),
    ),
    latin("or", "shortvideo", '"bobble hat" OR "lace shawl"', [
      ...demo.saying("shortvideo", "bobble hat"),
      ...demo.saying("shortvideo", "lace shawl"),
    ]),
    latin("exact name", "photoshare", "luna.marchetti", demo.called("Luna Marchetti")),
    latin("exact name", "photoshare", "Luna Marchetti", demo.called("Luna Marchetti")),
    latin("exact name", "photoshare", "streetfood", ["#streetfood"]),
    latin("hashtag as words", "photoshare", "street food school", ["#streetfoodschool"]),
    latin("exact name", "photoshare", "lantern bridge park", demo.called("Lantern Bridge Park")),
    latin("word", "photoshare", "glasgow", demo.called("Thistledown Arcade", "Ropewalk Studios")),
    latin("accent", "photoshare", "praca dos vagalumes", demo.called("Praça dos Vagalumes")),
    latin("exact name", "everything", "velvet umbrella", demo.called("Velvet Umbrella"), sounds),
    arabic("words", "longvideo", "ليلتان في خيمة دبي", demo.titled("ليلتان في خيمة", "دبي")),
    arabic("title over caption", "longvideo", "شطرنج المقاهي القاهرة", demo.titled("شطرنج المقاهي في القاهرة")),
    arabic("exact name", "photoshare", "سوق الفوانيس", demo.called("سوق الفوانيس الصغير")),
    arabic("hashtag as words", "photoshare", "سوق الليل", ["#سوق_الليل"]),
    japanese("part of a compound", "longvideo", "土星の環", demo.titled("土星の環")),
    japanese("words", "longvideo", "京都 陶芸", demo.titled("京都", "陶芸")),
    japanese("part of a compound", "photoshare", "屋上庭園", demo.called("青葉台屋上庭園")),
    japanese("exact name", "photoshare", "雪灯り喫茶", demo.called("雪灯り喫茶")),
    hindi("words", "longvideo", "हाथी की आखिरी लड़ाई छह मिनट", demo.titled("हाथी की आखिरी लड़ाई", "छह मिनट")),
    hindi("marks", "longvideo", "दिल्ली के पांच ठेले", demo.titled("दिल्ली के पाँच ठेले")),
    hindi("exact name", "photoshare", "गुलमोहर चौक", demo.called("गुलमोहर चौक")),
    latin(
      "comment",
      "everything",
      "daughter wants a telescope",
      demo.remarking("longvideo", "daughter", "wants a telescope"),
      comments,
    ),
    latin(
      "comment",
      "everything",
      '"sitting on my hands"',
      demo.remarking("longvideo", "sitting on my hands"),
      comments,
    ),
    japanese("comment", "everything", "双眼鏡", demo.remarking("longvideo", "双眼鏡"), comments),
    hindi("comment", "everything", "दादी के हाथ का स्वाद", demo.remarking("longvideo", "दादी के हाथ का स्वाद"), comments),
  ];
}
