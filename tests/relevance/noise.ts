/**
 * Thousands of posts that say nothing: the common words of thirteen languages, drawn again and again, so that a common
 * word matches far more posts than any answer shows. Titles are long and use the first half of the words only.
 */
import type { Account } from "#domain/account.ts";
import { DAY_S } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";
import { anAccount, aComment, aPost } from "../world.ts";
import { seeded } from "../../bench/random.ts";
import { type Platform, RUN_AT } from "./relevant-doc.ts";

interface Vocabulary {
  language: string;
  /** How many posts of twenty-four. */
  share: number;
  space: string;
  words: string[];
}

const VOCABULARIES: Vocabulary[] = [
  vocabulary(
    "en",
    12,
    "market night street morning garden coffee bread river light music city walk summer little house harbour lantern copper orchard violin ferry window rain bridge paper stone glass soup bicycle dance",
  ),
  vocabulary(
    "es",
    1,
    "mercado noche calle mañana jardín café pan río luz música puerto farol puente lluvia ventana tren sopa flor montaña bicicleta",
  ),
  vocabulary(
    "fr",
    1,
    "marché nuit rue matin jardin café pain rivière lumière musique port lanterne pont pluie fenêtre train soupe fleur montagne vélo",
  ),
  vocabulary(
    "de",
    1,
    "Markt Nacht Straße Morgen Garten Kaffee Brot Fluss Licht Musik Hafen Laterne Brücke Regen Fenster Zug Suppe Blume Berg Fahrrad",
  ),
  vocabulary(
    "ru",
    1,
    "рынок ночь улица утро сад кофе хлеб река свет музыка гавань фонарь мост дождь окно поезд суп цветок гора велосипед",
  ),
  vocabulary(
    "el",
    1,
    "αγορά νύχτα δρόμος πρωί κήπος καφές ψωμί ποτάμι φως μουσική λιμάνι φανάρι γέφυρα βροχή παράθυρο τρένο σούπα λουλούδι βουνό ποδήλατο",
  ),
  vocabulary(
    "ar",
    1,
    "سوق ليل شارع صباح حديقة قهوة خبز نهر ضوء موسيقى ميناء فانوس جسر مطر نافذة قطار حساء زهرة جبل دراجة",
  ),
  vocabulary("he", 1, "שוק לילה רחוב בוקר גינה קפה לחם נהר אור מוזיקה נמל פנס גשר גשם חלון רכבת מרק פרח הר אופניים"),
  vocabulary(
    "hi",
    1,
    "बाज़ार रात गली सुबह बगीचा कॉफ़ी रोटी नदी रोशनी संगीत बंदरगाह लालटेन पुल बारिश खिड़की रेलगाड़ी शोरबा फूल पहाड़ साइकिल",
  ),
  vocabulary(
    "th",
    1,
    "ตลาด กลางคืน ถนน เช้า สวน กาแฟ ขนมปัง แม่น้ำ แสง ดนตรี ท่าเรือ โคมไฟ สะพาน ฝน หน้าต่าง รถไฟ ซุป ดอกไม้ ภูเขา จักรยาน",
    "",
  ),
  vocabulary(
    "zh",
    1,
    "市场 夜晚 街道 早晨 花园 咖啡 面包 河流 灯光 音乐 港口 灯笼 桥梁 下雨 窗户 火车 汤 花朵 高山 自行车",
    "",
  ),
  vocabulary("ja", 1, "市場 夜 通り 朝 庭 コーヒー パン 川 光 音楽 港 提灯 橋 雨 窓 電車 スープ 花 山 自転車", "の"),
  vocabulary("ko", 1, "시장 밤 거리 아침 정원 커피 빵 강 빛 음악 항구 등불 다리 비 창문 기차 수프 꽃 산 자전거"),
];

function vocabulary(language: string, share: number, words: string, space = " "): Vocabulary {
  return { language, share, space, words: words.split(" ") };
}

const DRAWN_BY_SHARE = VOCABULARIES.flatMap((one) => Array.from({ length: one.share }, () => one));

const GIVEN = "Alva Benno Corin Delia Edvin Fenja Gustav Hedda Ivo Jorun Klara Lennart Mirja Nils Orla Pelle".split(
  " ",
);
const FAMILY = "Askvoll Brennick Caldane Dorvik Elmsater Farrowby Grontoft Halvard Isbrek Jadwin Kestrup Lomvi".split(
  " ",
);
const EMOJI = ["✨", "🌧️", "☕", "🌿", "🎶"];

/** Posts of one platform with their authors and what is said below some of them: the same for the same seed. */
export function noise(platform: Platform, posts: number, seed: number): Batch {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const accounts = GIVEN.flatMap((given) =>
    FAMILY.map((family, index): Account => {
      const name = `${given}.${family}`.toLowerCase();
      return anAccount(`${platform}-${name}`, index % 3 === 0 ? `${name}${index}` : name, {
        displayName: `${given} ${family}`,
        counters: { followers: Math.floor(10 ** (1 + random() * 5)) },
      });
    }),
  );
  /** Words at the beginning of a vocabulary come up more often, as some words do. */
  const sentence = ({ words, space }: Vocabulary, length: number, share: number) =>
    Array.from({ length }, () => words[Math.floor(words.length * share * random() ** 1.6)]).join(space);
  const made = Array.from({ length: posts }, (_, number) => {
    const drawn = pick(DRAWN_BY_SHARE);
    const views = Math.floor(10 ** (2 + random() * 3.5));
    const tags = random() < 0.4 ? [pick(drawn.words)] : [];
    const caption = sentence(drawn, 8 + Math.floor(random() * 8), 1);
    const marks = [...tags.map((name) => `#${name}`), ...(random() < 0.3 ? [pick(EMOJI)] : [])];
    return aPost(`${platform}-noise-${String(number).padStart(4, "0")}`, {
      authorId: pick(accounts).id,
      publishedAt: RUN_AT - Math.floor((1 + random() * 900) * DAY_S),
      title: platform === "longvideo" ? sentence(drawn, 4 + Math.floor(random() * 3), 0.5) : null,
      text: [caption, ...marks].join(" "),
      language: drawn.language,
      hashtags: tags,
      counters: { views, likes: Math.floor(views / (12 + random() * 20)) },
    });
  });
  const comments = made
    .filter((_, number) => number % 4 === 0)
    .map(({ id }) => aComment(`${id}-remark`, id, { text: sentence(pick(DRAWN_BY_SHARE), 6, 1) }));
  return { accounts, posts: made, comments };
}
