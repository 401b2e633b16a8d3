/** Invented people: a name composed from lists, a city, a language and, for creators, a topic. */
import { type City, CITIES, cityName } from "./cities.ts";
import type { Random } from "./random.ts";
import { getTexts } from "./topics.ts";
import type { Language, Topic } from "./topics/topic.ts";
import { PHRASES } from "./phrases.ts";
import { capitalise } from "./writing.ts";

export interface Person {
  /** The handle: Latin, lower case. */
  name: string;
  displayName: string;
  language: Language;
  city: City;
}

export interface Creator extends Person {
  topic: Topic;
  bio: string;
  /** How popular this person's posts are; 1 is average. */
  reach: number;
  /** Share of all posts, before normalisation. */
  diligence: number;
}

/** Given and family names; for other scripts the Latin form follows after a bar. */
const NAMES: Readonly<Record<Language, { given: string; family: string; familyFirst?: boolean }>> = {
  en: {
    given:
      "Maya Theo Ivy Callum Rosa Jonah Freya Elliot Tess Omar Willa Desmond Priya Hugo Greta Silas Nadia Felix Odette Kit",
    family:
      "Harrow Pellam Winslade Okoro Brandt Quill Fenwick Larkin Abara Sorrel Thackley Moss Vance Ludd Ferreira Holm Castell Penrose Dunmarrow Wren",
  },
  es: {
    given: "Lucía Mateo Inés Bruno Ximena Tomás Carmen Iker Paloma Emilio Renata Gael Alba Joaquín Noa Darío",
    family:
      "Robledo Cienfuegos Arrieta Montiel Salcedo Urrutia Villaseñor Riosantos Olmedo Zamudio Valdelobos Aldamar Monteluz Larrea",
  },
  ar: {
    given:
      "ليلى|layla كريم|karim نور|nour يوسف|youssef سلمى|salma طارق|tarek هدى|huda زياد|ziad مريم|mariam سامي|sami دانة|dana رامي|rami",
    family:
      "المنياوي|minyawi الشاذلي|shazly العطار|attar البحيري|beheiry النجار|naggar الزهراني|zahrani السنبلي|sonboly الزمردي|zomorody الياسميني|yasmini النخيلي|nakhili",
  },
  ja: {
    given:
      "結衣|yui 蓮|ren 葵|aoi 悠人|yuto 咲良|sakura 樹|itsuki 紬|tsumugi 海斗|kaito 凛|rin 大地|daichi 千尋|chihiro 晴|haru",
    family:
      "森岡|morioka 水沢|mizusawa 小田切|odagiri 白石|shiraishi 柏木|kashiwagi 三雲|mikumo 早瀬|hayase 遠山|toyama 藤代|fujishiro 北見|kitami",
    familyFirst: true,
  },
  hi: {
    given:
      "आरव|aarav मीरा|meera कबीर|kabir अनन्या|ananya ईशान|ishaan तारा|tara रोहन|rohan सिया|siya विहान|vihaan नंदिनी|nandini देव|dev पूर्वी|purvi",
    family:
      "सरोवर|sarovar वनपाल|vanpal दीपकर|deepkar नीलवंशी|neelvanshi रथवाल|rathwal मेघकर|meghkar चंद्रोदे|chandrode तरंगे|tarange कदंबी|kadambi शैलवत|shailvat",
  },
};

const SPLIT_NAMES = new Map(
  Object.entries(NAMES).map(([language, { given, family, familyFirst }]) => [
    language,
    { given: split(given), family: split(family), familyFirst: familyFirst === true },
  ]),
);

const LANGUAGE_SHARES: readonly Language[] = [
  "en",
  "en",
  "en",
  "en",
  "en",
  "en",
  "en",
  "es",
  "es",
  "es",
  "ja",
  "ja",
  "ar",
  "ar",
  "hi",
  "hi",
];

/** Creates people with unique handles. */
export class PersonFactory {
  readonly #taken: Set<string>;
  readonly #random: Random;

  constructor(random: Random, reserved: readonly string[]) {
    this.#random = random;
    this.#taken = new Set(reserved);
  }

  createPerson(language: Language = this.#random.pick(LANGUAGE_SHARES), home?: City): Person {
    const random = this.#random;
    const names = SPLIT_NAMES.get(language);
    if (names === undefined) throw new Error(`no names in ${language}`);
    const given = random.pick(names.given);
    const family = random.pick(names.family);
    const parts = [given.text, family.text];
    return {
      name: this.#handle(given.latin, family.latin),
      displayName: names.familyFirst ? parts.toReversed().join(" ") : parts.join(" "),
      language,
      city: home ?? random.pick(CITIES.filter((city) => city.language === language)),
    };
  }

  createCreator(topic: Topic, language: Language): Creator {
    const random = this.#random;
    return describeCreator(random, { ...this.createPerson(language), topic });
  }

  #handle(given: string, family: string): string {
    const random = this.#random;
    for (;;) {
      const name = random.pick([
        `${given}.${family}`,
        `${given}_${family}`,
        `${given}${family}`,
        `${family}.${given}`,
        `${given}.${family}${random.integer(2, 99)}`,
        `its.${given}.${family}`,
        `${given}${random.integer(100, 999)}`,
      ]);
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }
}

/** Adds a bio in the person's own language. */
export function describeCreator(random: Random, person: Person & { topic: Topic }): Creator {
  const { label } = getTexts(person.topic, person.language);
  const bio = random
    .pick(PHRASES[person.language].bios)
    .replace(/(?<=^|\. )\{label\}/, capitalise(label))
    .replace("{label}", label)
    .replace("{city}", cityName(person.city, person.language));
  return {
    ...person,
    bio: `${bio} ${random.pick(person.topic.emoji)}`,
    reach: random.logNormal(1, 0.8),
    diligence: 0.35 + random.logNormal(0.6, 0.7),
  };
}

function split(list: string): { text: string; latin: string }[] {
  return list.split(" ").map((entry) => {
    const [text = entry, latin = text] = entry.split("|");
    return { text, latin: latin.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase() };
  });
}
