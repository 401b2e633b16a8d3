/** Cyrillic (Russian, Ukrainian, Bulgarian, Serbian) and Greek. */
import { judge } from "./judged-query.ts";
import { long, person, photo, short } from "./relevant-doc.ts";

export const cyrillicGreekNeedles = [
  long("ru-night-street", "Ночь, улица", "Фильм на пять минут.", { language: "ru" }),
  long("ru-samovar", "Самовар на балконе", "Кипит уже час.", { language: "ru" }),
  long("ru-samovar-aside", "Что мы делали летом", "Ещё был самовар и гости.", { views: 700_000, language: "ru" }),
  short("ru-yolka", "Ёлка стоит до марта, и ничего"),
  short("ru-hedgehog", "Ёжик пришёл за грушами"),
  short("ru-balalaika", "Балалайка с двумя струнами"),
  short("ru-balalaika-2", "Починил балалайку, играю соседям", { tags: ["Балалайка"] }),
  short("ru-pelmeni", "Лепим пельмени всей семьёй"),
  short("ru-podstakannik", "Подстаканник из старого поезда"),
  short("uk-vyshyvanka", "Вишиванка, яку шила три роки"),
  short("uk-lviv", "Їжачок біля криниці"),
  short("bg-banitsa", "Баница с много сирене"),
  short("sr-ajvar", "Ајвар као код баке"),
  person("shortvideo", "ru-person", "zoya.lugovaya", "Зоя Луговая"),
  photo("ru-photo", "Дирижабль из картона над крышами", { tags: ["дирижабль"] }),
  long("el-night-road", "Νύχτα, δρόμος", "Ταινία πέντε λεπτών.", { language: "el" }),
  long("el-bouzouki", "Το μπουζούκι του παππού", "Τρεις χορδές και μια ιστορία.", { language: "el" }),
  short("el-spanakopita", "Σπανακόπιτα στη γάστρα"),
  short("el-gatos", "Ο γάτος κοιμάται στο καΐκι"),
  short("el-odysseas", "Ο Οδυσσέας έφτιαξε χαρταετό", { tags: ["Χαρταετός"] }),
  short("el-kouloumoundra", "Κουλουράκια με πορτοκάλι"),
  long("el-mastoras", "Ο μάστορας της γειτονιάς", "Φτιάχνει καρέκλες από ελιά.", { language: "el" }),
  photo("el-photo", "Ασβεστωμένα σκαλοπάτια το μεσημέρι"),
];

const russian = judge("Cyrillic");
const greek = judge("Greek");

export const cyrillicGreekQueries = [
  russian("common words", "longvideo", "ночь улица", ["ru-night-street"]),
  russian("title over caption", "longvideo", "самовар", ["ru-samovar"]),
  russian("accent", "shortvideo", "елка", ["ru-yolka"]),
  russian("accent", "shortvideo", "ежик пришел", ["ru-hedgehog"]),
  russian("case", "shortvideo", "ПЕЛЬМЕНИ", ["ru-pelmeni"]),
  russian("typo", "shortvideo", "балалайга", ["ru-balalaika", "ru-balalaika-2"]),
  russian("typo", "shortvideo", "подстакканик", ["ru-podstakannik"]),
  russian("prefix", "shortvideo", "подстак", ["ru-podstakannik"]),
  russian("prefix", "shortvideo", "балалай", ["ru-balalaika", "ru-balalaika-2"]),
  russian("hashtag", "shortvideo", "#балалайка", ["ru-balalaika-2"]),
  russian("hashtag", "hashtag", "ДИРИЖАБЛЬ", ["ru-photo"]),
  russian("phrase", "shortvideo", '"с двумя струнами"', ["ru-balalaika"]),
  russian("word", "shortvideo", "вишиванка", ["uk-vyshyvanka"]),
  russian("word", "shortvideo", "баница сирене", ["bg-banitsa"]),
  russian("word", "shortvideo", "ајвар", ["sr-ajvar"]),
  russian("exact name", "everything", "зоя луговая", ["ru-person"], { parameters: { kind: "account" } }),
  russian("words", "everything", "картона крышами", ["ru-photo"], { parameters: { platform: "photoshare" } }),
  greek("common words", "longvideo", "νύχτα δρόμος", ["el-night-road"]),
  greek("accent", "longvideo", "μπουζουκι", ["el-bouzouki"]),
  greek("case", "shortvideo", "ΣΠΑΝΑΚΟΠΙΤΑ", ["el-spanakopita"]),
  greek("case", "shortvideo", "ΓΑΤΟΣ ΚΑΪΚΙ", ["el-gatos"]),
  greek("case", "longvideo", "ΜΑΣΤΟΡΑΣ", ["el-mastoras"]),
  greek("hashtag", "shortvideo", "#χαρταετος", ["el-odysseas"]),
  greek("prefix", "shortvideo", "κουλουρ", ["el-kouloumoundra"]),
  greek("typo", "shortvideo", "σπανακοπτα", ["el-spanakopita"]),
  greek("phrase", "longvideo", '"μπουζούκι του παππού"', ["el-bouzouki"]),
  greek("words", "everything", "σκαλοπατια μεσημερι", ["el-photo"], { parameters: { kind: "post" } }),
];
