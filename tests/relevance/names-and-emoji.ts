/** The photo-sharing search, where people, hashtags and places share one order; and emoji, which are words too. */
import { judge } from "./judged-query.ts";
import { long, person, photo, place, short, tag } from "./relevant-doc.ts";

const FAMOUS = { followers: 2_000_000 };

export const nameNeedles = [
  person("photoshare", "ps-marina", "marina", "Marina Voss", { followers: 40 }),
  person("photoshare", "ps-marina-kelder", "marina.kelder", "Marina Kelder", FAMOUS),
  person("photoshare", "ps-boatfan", "boat.fan", "Boat Fan", { bio: "Always at the marina", ...FAMOUS }),
  tag("marina", 9_000),
  place("pl-marina", "Marina Deck", "Quillhaven"),
  place("pl-heron", "Heron Steps", "Quillhaven", "Heron Steps 4"),
  place("pl-heron-cafe", "Café Garza", "Vellamar", "Heron Street 11", 90_000),
  place("pl-mill", "Moulin de l'Étang", "Saint-Orve"),
  person("photoshare", "ps-tamsin", "tamsin.okell", "Tamsin Okell", { bio: "Pinhole cameras." }),
  person("photoshare", "ps-tamsin-2", "tamsinwest", "Tamsin Westerby", FAMOUS),
  person("photoshare", "ps-potter", "potter.lane", "Potter Lane"),
  person("photoshare", "ps-potter-bio", "clay.days", "Clay Days", { bio: "A potter in a lane.", ...FAMOUS }),
  person("photoshare", "ps-renee", "renee_aubrac", "Renée Aubraç"),
  person("photoshare", "ps-kirsi", "kirsi.lehtovaara", "Kirsi Lehtovaara"),
  tag("BlueHourDiary", 300),
  tag("bluehour", 80_000),
  tag("PinholeSunday", 70),
  tag("Fenêtres", 500),
  tag("夕焼け散歩", 60),
  photo("blue-1", "Quarter past five", { tags: ["BlueHourDiary"], daysAgo: 1 }),
  photo("blue-2", "Ten to six", { tags: ["bluehourdiary"], daysAgo: 2 }),
  photo("blue-3", "Six, almost dark", { tags: ["BLUEHOURDIARY", "bluehour"], daysAgo: 3 }),
  photo("window-1", "Shutters open", { tags: ["Fenêtres"], daysAgo: 5 }),
  photo("window-2", "Shutters shut", { tags: ["fenetres"], daysAgo: 6 }),
  photo("sunset-walk", "川沿いを一時間", { tags: ["夕焼け散歩"], daysAgo: 4 }),
];

export const emojiNeedles = [
  short("em-lobster", "Guess what we had 🦞"),
  short("em-lobster-2", "🦞🦞 round two, bibs on"),
  short("em-chef", "Mum in charge 👩🏽‍🍳 tonight"),
  short("em-flag", "Landed! 🇮🇸 colder than planned"),
  long("em-sloth", "Three hours of this 🦥", "Bring a blanket."),
  photo("em-heart", "She said yes ❤️‍🔥"),
  short("em-text-heart", "Sewn by hand ♥️ for my sister"),
  short("em-kite", "Wind at last 🪁 hold the string"),
  short("em-thumb", "Passed the exam 🤙🏿"),
];

const judged = judge("Latin");
const japanese = judge("Japanese");
const emoji = judge("Emoji");

export const nameQueries = [
  judged("exact name", "photoshare", "marina", ["ps-marina", "#marina"]),
  judged("exact name", "photoshare", "@marina", ["ps-marina"], { absent: ["#marina", "pl-marina"] }),
  judged("exact name", "photoshare", "#marina", ["#marina"], { absent: ["ps-marina", "pl-marina"] }),
  judged("exact name", "photoshare", "marina deck", ["pl-marina"]),
  judged("exact name", "photoshare", "heron steps", ["pl-heron"]),
  judged("title over caption", "photoshare", "heron", ["pl-heron"]),
  judged("word", "photoshare", "quillhaven", ["pl-marina", "pl-heron"]),
  judged("accent", "photoshare", "moulin de l'etang", ["pl-mill"]),
  judged("exact name", "photoshare", "tamsin okell", ["ps-tamsin"]),
  judged("exact name", "photoshare", "tamsin.okell", ["ps-tamsin"]),
  judged("exact name", "photoshare", "@tamsin.okell", ["ps-tamsin"]),
  judged("case", "photoshare", "TAMSIN OKELL", ["ps-tamsin"]),
  judged("prefix", "photoshare", "tams", ["ps-tamsin", "ps-tamsin-2"]),
  judged("prefix", "photoshare", "@kirs", ["ps-kirsi"]),
  judged("title over caption", "photoshare", "potter lane", ["ps-potter"]),
  judged("accent", "photoshare", "renee aubrac", ["ps-renee"]),
  judged("accent", "photoshare", "renée", ["ps-renee"]),
  judged("typo", "photoshare", "lehtovara", ["ps-kirsi"]),
  judged("typo", "photoshare", "tamsen okell", ["ps-tamsin"]),
  judged("hashtag", "photoshare", "#bluehourdiary", ["#BlueHourDiary"]),
  judged("hashtag as words", "photoshare", "blue hour diary", ["#BlueHourDiary"]),
  judged("hashtag as words", "photoshare", "pinhole sunday", ["#PinholeSunday"]),
  judged("hashtag", "photoshare", "bluehour", ["#bluehour", "#BlueHourDiary"]),
  judged("hashtag", "photoshare", "#bluehour", ["#bluehour"]),
  judged("accent", "photoshare", "#fenetres", ["#Fenêtres"]),
  judged("hashtag", "hashtag", "bluehourdiary", ["blue-1", "blue-2", "blue-3"]),
  judged("case", "hashtag", "#BlueHourDiary", ["blue-1", "blue-2", "blue-3"]),
  judged("accent", "hashtag", "FENETRES", ["window-1", "window-2"]),
  judged("accent", "hashtag", "fenêtres", ["window-1", "window-2"]),
  japanese("part of a compound", "photoshare", "散歩", ["#夕焼け散歩"]),
  japanese("hashtag", "hashtag", "夕焼け散歩", ["sunset-walk"]),
  judged("exact name", "everything", "marina", ["ps-marina", "marina"], { parameters: { platform: "photoshare" } }),
  judged("exact name", "everything", "heron steps", ["pl-heron"], { parameters: { kind: "place" } }),
  judged("exact name", "everything", "bluehourdiary", ["bluehourdiary"], {
    parameters: { kind: "hashtag", platform: "photoshare" },
  }),
];

export const emojiQueries = [
  emoji("emoji", "shortvideo", "🦞", ["em-lobster", "em-lobster-2"]),
  emoji("emoji", "shortvideo", "🦞 bibs", ["em-lobster-2"]),
  emoji("emoji", "shortvideo", "👩‍🍳", ["em-chef"]),
  emoji("emoji", "shortvideo", "👩🏻‍🍳", ["em-chef"]),
  emoji("emoji", "shortvideo", "🇮🇸", ["em-flag"]),
  emoji("emoji", "longvideo", "🦥", ["em-sloth"]),
  emoji("emoji", "everything", "❤️‍🔥", ["em-heart"], { parameters: { platform: "photoshare" } }),
  emoji("emoji", "shortvideo", "♥", ["em-text-heart"]),
  emoji("emoji", "shortvideo", "🤙", ["em-thumb"]),
  emoji("emoji", "shortvideo", "wind 🪁", ["em-kite"]),
];
