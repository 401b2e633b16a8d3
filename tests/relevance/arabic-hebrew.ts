/** Arabic and Hebrew letters: right to left, vowels written or not, letters stretched, articles joined to the word. */
import { judge } from "./judged-query.ts";
import { long, person, photo, short } from "./relevant-doc.ts";

export const arabicHebrewNeedles = [
  long("ar-night-market", "سوق ليل", "عشر دقائق بين البسطات.", { language: "ar" }),
  long("ar-oud", "عُودُ جَدّي", "وتران مقطوعان وحكاية.", { language: "ar" }),
  long("ar-oud-aside", "يوم في البيت", "ثم عزف جدي على عود قديم.", { views: 700_000, language: "ar" }),
  short("ar-kunafa", "كنـــافة ساخنة على الفحم"),
  short("ar-mulukhiyah", "مُلُوخِيَّةٌ بالثوم كما تحبها خالتي"),
  short("ar-falcon", "صقر فوق الكثبان", { tags: ["صقور_الكثبان"] }),
  short("ar-ahmad", "أرجوحة بين نخلتين"),
  short("ar-mushaf", "مصطفى يصلح الراديو القديم"),
  short("ar-beehive", "زرنا المنحل وذقنا العسل"),
  short("ar-carpenter", "النجار يصنع مشربية من الزان"),
  short("ar-pigeon", "سباق الحمام الزاجل يوم الجمعة"),
  short("fa-piano", "گربه‌ی همسایه روی بام"),
  short("ur-patang", "پتنگ بازی کا موسم"),
  person("photoshare", "ar-person", "rabab.sawaf", "رباب الصواف"),
  photo("ar-photo", "شناشيل خضراء في الظهيرة", { tags: ["شناشيل"] }),
  long("he-night-market", "שוק לילה", "סרטון קצר מאוד.", { language: "he" }),
  long("he-shakshuka", "שקשוקה לשניים", "עגבניות, ביצים וסבלנות.", { language: "he" }),
  short("he-shalom", "שָׁלוֹם מהמרפסת של סבתא"),
  short("he-sukkah", "בונים סוכה מקרשים ישנים", { tags: ["סוכה"] }),
  short("he-kinor", "כינור אחד ושלושה חתולים"),
  short("he-glida", "גלידת תמרים בגביע"),
  short("he-hammock", "תלינו ערסל בין שני ברושים"),
  photo("he-photo", "תריסים כחולים ביפו בצהריים", { tags: ["תריסים"] }),
];

const arabic = judge("Arabic");
const hebrew = judge("Hebrew");

export const arabicHebrewQueries = [
  arabic("common words", "longvideo", "سوق ليل", ["ar-night-market"]),
  arabic("marks", "longvideo", "عود جدي", ["ar-oud"]),
  arabic("marks", "shortvideo", "كنافة", ["ar-kunafa"]),
  arabic("marks", "shortvideo", "ملوخية بالثوم", ["ar-mulukhiyah"]),
  arabic("marks", "shortvideo", "صَقْرٌ فَوْقَ", ["ar-falcon"]),
  arabic("marks", "shortvideo", "ارجوحة", ["ar-ahmad"]),
  arabic("marks", "shortvideo", "مصطفي", ["ar-mushaf"]),
  arabic("hashtag", "shortvideo", "#صقور_الكثبان", ["ar-falcon"]),
  arabic("hashtag as words", "shortvideo", "صقور الكثبان", ["ar-falcon"]),
  arabic("hashtag", "hashtag", "شَنَاشِيل", ["ar-photo"]),
  arabic("part of a compound", "shortvideo", "منحل", ["ar-beehive"]),
  arabic("prefix", "shortvideo", "الزاج", ["ar-pigeon"]),
  arabic("typo", "shortvideo", "مشريبة", ["ar-carpenter"]),
  arabic("phrase", "shortvideo", '"بين نخلتين"', ["ar-ahmad"]),
  arabic("word", "shortvideo", "گربه", ["fa-piano"]),
  arabic("marks", "shortvideo", "همسايه", ["fa-piano"]),
  arabic("words", "shortvideo", "پتنگ موسم", ["ur-patang"]),
  arabic("exact name", "photoshare", "رباب الصواف", ["ar-person"]),
  hebrew("common words", "longvideo", "שוק לילה", ["he-night-market"]),
  hebrew("word", "longvideo", "שקשוקה", ["he-shakshuka"]),
  hebrew("marks", "shortvideo", "שלום סבתא", ["he-shalom"]),
  hebrew("marks", "shortvideo", "עַרְסָל", ["he-hammock"]),
  hebrew("hashtag", "shortvideo", "#סוכה", ["he-sukkah"]),
  hebrew("hashtag", "hashtag", "#תריסים", ["he-photo"]),
  hebrew("prefix", "shortvideo", "ערס", ["he-hammock"]),
  hebrew("typo", "longvideo", "שקשוקא", ["he-shakshuka"]),
  hebrew("phrase", "shortvideo", '"בין שני ברושים"', ["he-hammock"]),
  hebrew("words", "shortvideo", "כינור חתולים", ["he-kinor"]),
  hebrew("words", "everything", "תריסים כחולים", ["he-photo"], {
    parameters: { platform: "photoshare", kind: "post" },
  }),
];
