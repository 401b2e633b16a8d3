/** Phrases, exclusions, alternatives, filters; and what looks like one of them but is none. */
import { judge } from "./judged-query.ts";
import { long, person, short, song, tag } from "./relevant-doc.ts";

const OFTEN_SEEN = { views: 500_000, likes: 40_000 };

export const queryLanguageNeedles = [
  // Phrases.
  short("red-kite", "A red kite above the chimney"),
  short("kite-red", "My kite is torn and the red tail is gone", OFTEN_SEEN),
  long("slow-train-home", "The slow train home", "Four hours, two sandwiches."),
  long("train-home-slow", "Home by train, and slow about it", "A long day.", OFTEN_SEEN),
  short("salt-air", "Salt air and peeling paint"),
  short("air-salt", "The air smells of rust and salt", OFTEN_SEEN),
  // Exclusions and alternatives.
  short("saffron-rice", "Saffron rice for nine people"),
  short("saffron-buns", "Saffron buns before sunrise"),
  short("saffron-soup-needle", "Saffron soup with mussels", OFTEN_SEEN),
  short("turmeric", "Turmeric stains everything I own"),
  long("weaving-loom", "Setting up a loom", "Warp first, tea later."),
  long("weaving-spindle", "A drop spindle from a spoon", "It wobbles, it works."),
  long("loom-spindle", "Loom and spindle, side by side", "Which one first?"),
  // People.
  person("shortvideo", "sv-ilse", "ilse.varnholt", "Ilse Varnholt"),
  person("shortvideo", "sv-bram", "bram_osterkamp", "Bram Osterkamp"),
  short("ilse-quilt", "A quilt out of old shirts", { by: "sv-ilse" }),
  short("bram-quilt", "A quilt nobody asked for", { by: "sv-bram", ...OFTEN_SEEN }),
  short("ilse-button", "One thousand buttons, sorted", { by: "sv-ilse" }),
  short("for-ilse", "Made this for @ilse.varnholt and hid it well", { by: "sv-bram", tagged: ["sv-ilse"] }),
  short("with-ilse", "Pancakes with @ilse.varnholt", { by: "sv-bram", tagged: ["sv-ilse"] }),
  // Hashtags.
  short("tag-slow-stitch", "Nothing finished today", { tags: ["SlowStitching"] }),
  short("tag-slow-stitch-2", "Still the same sleeve", { tags: ["slowstitching"] }),
  short("words-slow-stitch", "So slow, this stitching business"),
  short("tag-tidepool", "Look at this one", { tags: ["TidePoolFriends"] }),
  tag("SlowStitching", 900, "shortvideo"),
  // Sounds.
  song("snd-gravel", "Gravel Waltz", "Odile Marran"),
  song("snd-thimble", "Thimble Parade", "Odile Marran"),
  short("with-gravel", "Dancing in the boiler room", { sound: "snd-gravel" }),
  short("with-gravel-2", "Shoes off, boiler on", { sound: "snd-gravel" }),
  short("with-thimble", "The boiler room again", { sound: "snd-thimble", ...OFTEN_SEEN }),
  // Languages.
  long("polenta-it", "Polenta della domenica", "Ricetta di famiglia.", { language: "it" }),
  long("polenta-en", "Polenta on a Sunday", "A family recipe.", { language: "en", ...OFTEN_SEEN }),
  long("polenta-de", "Polenta am Sonntag", "Ein Familienrezept.", { language: "de", ...OFTEN_SEEN }),
  // Days.
  short("kelp-before", "Kelp harvest, last minute of the ninth", { at: "2024-03-09T23:59:59Z", ...OFTEN_SEEN }),
  short("kelp-first", "Kelp harvest, first minute of the tenth", { at: "2024-03-10T00:00:00Z" }),
  short("kelp-middle", "Kelp harvest, the week after", { at: "2024-03-17T12:00:00Z" }),
  short("kelp-last", "Kelp harvest, last minute of March", { at: "2024-03-31T23:59:59Z" }),
  short("kelp-after", "Kelp harvest, first of April", { at: "2024-04-01T00:00:00Z", ...OFTEN_SEEN }),
  // Counts.
  long("gnome-few", "Garden gnome repair", "Glue and regret.", { views: 900, likes: 20 }),
  long("gnome-some", "Garden gnome rescue", "He fell again.", { views: 25_000, likes: 1_500 }),
  long("gnome-many", "Garden gnome census", "We counted all of them.", { views: 2_000_000, likes: 90_000 }),
  // Words that also are the language's own.
  long("or-gold", "Or", "The word for gold, sung by a choir of nine."),
  long("lang", "Lang", "A portrait of a very tall man."),
  long("since-never", "Since never", "A play in one act."),
  long("open-door", "Open", "A door, a draught, a dog."),
  long("min-views-abc", "What min_views:abc finds", "A talk about search boxes."),
  long("until-soon", "Until soon", "A goodbye on the quay."),
];

const judged = judge("Latin");
const kelpInMarch = ["kelp-first", "kelp-middle", "kelp-last"];

export const queryLanguageQueries = [
  judged("phrase", "shortvideo", '"red kite"', ["red-kite"], { absent: ["kite-red"] }),
  judged("phrase", "longvideo", '"slow train home"', ["slow-train-home"], { absent: ["train-home-slow"] }),
  judged("phrase", "shortvideo", '"salt air" paint', ["salt-air"], { absent: ["air-salt"] }),
  judged("phrase", "everything", '"Red Kite"', ["red-kite"], { absent: ["kite-red"] }),
  judged("not", "shortvideo", "saffron -soup", ["saffron-rice", "saffron-buns"], { absent: ["saffron-soup-needle"] }),
  judged("not", "shortvideo", "saffron -soup -buns", ["saffron-rice"], {
    absent: ["saffron-soup-needle", "saffron-buns"],
  }),
  judged("not", "longvideo", "loom -spindle", ["weaving-loom"], { absent: ["loom-spindle"] }),
  judged("not", "shortvideo", 'kite -"red tail"', ["red-kite"], { absent: ["kite-red"] }),
  judged("or", "longvideo", "loom OR spindle", ["weaving-loom", "weaving-spindle", "loom-spindle"]),
  judged("or", "shortvideo", "turmeric OR buns", ["turmeric", "saffron-buns"]),
  judged("or", "shortvideo", "saffron rice OR buns", ["saffron-rice", "saffron-buns"], {
    absent: ["saffron-soup-needle"],
  }),
  judged("from", "shortvideo", "from:ilse.varnholt", ["ilse-quilt", "ilse-button"], {
    absent: ["bram-quilt", "for-ilse"],
  }),
  judged("from", "shortvideo", "quilt from:ilse.varnholt", ["ilse-quilt"], { absent: ["bram-quilt"] }),
  judged("from", "shortvideo", "from:@Bram_Osterkamp quilt", ["bram-quilt"], { absent: ["ilse-quilt"] }),
  judged("from", "everything", "quilt -from:bram_osterkamp", ["ilse-quilt"], {
    absent: ["bram-quilt"],
    parameters: { kind: "post" },
  }),
  judged("mention", "shortvideo", "@ilse.varnholt", ["for-ilse", "with-ilse"]),
  judged("mention", "shortvideo", "pancakes @ilse.varnholt", ["with-ilse"]),
  judged("hashtag", "shortvideo", "#slowstitching", ["tag-slow-stitch", "tag-slow-stitch-2"], {
    absent: ["words-slow-stitch"],
  }),
  judged("hashtag", "shortvideo", "#SLOWSTITCHING sleeve", ["tag-slow-stitch-2"]),
  judged("hashtag as words", "shortvideo", "slow stitching", [
    "tag-slow-stitch",
    "tag-slow-stitch-2",
    "words-slow-stitch",
  ]),
  judged("hashtag as words", "shortvideo", "tide pool friends", ["tag-tidepool"]),
  judged("sound", "shortvideo", "sound:snd-gravel", ["with-gravel", "with-gravel-2"], { absent: ["with-thimble"] }),
  judged("sound", "shortvideo", "boiler sound:snd-thimble", ["with-thimble"], { absent: ["with-gravel"] }),
  judged("sound", "shortvideo", 'sound:"gravel waltz"', ["with-gravel", "with-gravel-2"], { absent: ["with-thimble"] }),
  judged("exact name", "everything", "gravel waltz", ["snd-gravel"], { parameters: { kind: "sound" } }),
  judged("exact name", "everything", "odile marran thimble", ["snd-thimble"], { parameters: { kind: "sound" } }),
  judged("filter", "longvideo", "polenta lang:it", ["polenta-it"], { absent: ["polenta-en", "polenta-de"] }),
  judged("filter", "longvideo", "lang:de polenta", ["polenta-de"], { absent: ["polenta-en", "polenta-it"] }),
  judged("filter", "shortvideo", "kelp since:2024-03-10", [...kelpInMarch, "kelp-after"], { absent: ["kelp-before"] }),
  judged("filter", "shortvideo", "kelp until:2024-03-10", ["kelp-before"], { absent: kelpInMarch }),
  judged("filter", "shortvideo", "kelp harvest since:2024-03-10 until:2024-04-01", kelpInMarch, {
    absent: ["kelp-before", "kelp-after"],
  }),
  judged("filter", "everything", "kelp since:2024-03-10 until:2024-03-11", ["kelp-first"], {
    absent: ["kelp-before", "kelp-middle"],
  }),
  judged("filter", "longvideo", "gnome min_views:1000", ["gnome-some", "gnome-many"], { absent: ["gnome-few"] }),
  judged("filter", "longvideo", "gnome min_likes:50000", ["gnome-many"], { absent: ["gnome-few", "gnome-some"] }),
  judged("filter", "longvideo", "gnome min_views:25000 -census", ["gnome-some"], {
    absent: ["gnome-few", "gnome-many"],
  }),
  judged("literal", "longvideo", "OR", ["or-gold"]),
  judged("literal", "longvideo", '"lang:"', ["lang"]),
  judged("literal", "longvideo", '"since:never"', ["since-never"]),
  judged("literal", "longvideo", '"open', ["open-door"]),
  judged("literal", "longvideo", '"min_views:abc"', ["min-views-abc"]),
  judged("literal", "longvideo", '"until:soon"', ["until-soon"]),
];

/** Slips of the pen and fragments of the language: each is searched as it stands, and none is an error. */
export const FRAGMENTS = [
  "-",
  "--",
  "OR",
  "OR OR",
  "kelp OR",
  "OR kelp",
  '"',
  '""',
  '"open',
  'open"',
  '-"',
  "-OR",
  "lang:",
  "lang:zz-not-a-language",
  "since:",
  "since:never",
  "since:2024-13-45",
  "until:2024-02-30",
  "min_views:",
  "min_views:abc",
  "min_views:-5",
  "min_likes:99999999999999999999999",
  "from:",
  "from:@",
  'from:"kelp',
  '-from:kelp"',
  "sound:",
  'sound:"kelp',
  "#",
  "@",
  "##",
  "#-#",
  "*",
  "(kelp",
  "kelp)",
  "kelp AND",
  "NEAR(kelp, 3)",
  "strong:kelp",
  "\\",
  "%",
  "'",
];
