/**
 * Posts to search in, deterministic: each keeps to one of eight languages in five scripts, the words of each follow
 * Zipf's law, counters are heavy-tailed and times come in no order.
 */
import type { Post } from "#domain/post.ts";
import { capturedPost } from "../bench/corpus-shortvideo.ts";
import { type Random, seeded, skewed, uniform } from "../bench/random.ts";

const VOCABULARY = 10_000;
const BEGIN = 1_700_000_000;
const YEARS = 3 * 365 * 86_400;
/** Of these words every language has the same, as names, numbers and loans are. */
const SHARED_WORDS = 20;

const LATIN = "ka re mi to su la ne vi do pu sa te li fo nu ra ge zi bo mu ha de ki lo pa";
/** Half of the posts are in the first language. */
const LANGUAGES = [
  { code: "en", country: "US", syllables: LATIN },
  { code: "es", country: "MX", syllables: LATIN },
  { code: "pt", country: "BR", syllables: LATIN },
  { code: "id", country: "ID", syllables: LATIN },
  {
    code: "ru",
    country: "KZ",
    syllables: "ка ре ми то су ла не ви до пу са те ли фо ну ра ге зи бо му ха де ки ло па",
  },
  {
    code: "ar",
    country: "EG",
    syllables: "كا رب مي تو سر لا نت في دو بك سا تم لي فر نو را جم زي بر مد حا دل كي لو با",
  },
  {
    code: "hi",
    country: "IN",
    syllables: "का रे मि तो सु ला ने वि दो पु सा ते लि फो नु रा गे जि बो मु हा दे कि लो पा",
  },
  {
    code: "ja",
    country: "JP",
    syllables:
      "カリ レト ミナ トキ スラ ラモ ネク ヴィ ドマ プロ サテ テル リコ フォ ヌカ ラス ゲミ ジオ ボノ ムサ ハイ デキ キタ ロワ パン",
  },
];

export function* multilingualPosts(count: number): Generator<Post> {
  const random = seeded(7_061_988);
  for (let number = 0; number < count; number++) yield post(random);
}

function post(random: Random): Post {
  const language = LANGUAGES[random() < 0.5 ? 0 : uniform(random, LANGUAGES.length)] as (typeof LANGUAGES)[number];
  const drawWord = () => {
    const rank = skewed(random, VOCABULARY);
    return wordOf(rank, rank < SHARED_WORDS ? LATIN : language.syllables);
  };
  const text = Array.from({ length: 8 + uniform(random, 23) }, drawWord).join(" ");
  const tags = [...new Set(Array.from({ length: uniform(random, 5) }, drawWord))];
  const createTime = BEGIN + uniform(random, YEARS);
  const views = Math.min(2_000_000_000, Math.floor(30 / (1 - random()) ** 1.1));
  const [person, sound] = [skewed(random, 50_000), skewed(random, 10_000)];
  const native = capturedPost(random, { text, tags, createTime, views, person, sound });
  return {
    id: native.id,
    authorId: native.author.id,
    publishedAt: createTime,
    title: null,
    text: native.desc,
    language: language.code,
    country: language.country,
    hashtags: tags,
    soundId: native.music.id,
    taggedIds: [],
    placeId: null,
    durationS: native.video.duration,
    counters: { views, likes: native.stats.diggCount, comments: native.stats.commentCount },
    native,
    capturedAt: (createTime + uniform(random, 30 * 86_400)) * 1_000,
    source: "bench",
  };
}

/** Of two syllables or more; common words are the short ones. */
function wordOf(rank: number, script: string): string {
  const syllables = script.split(" ");
  let word = "";
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length];
  }
  return word;
}
