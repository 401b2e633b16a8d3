/** English: words that everybody uses, words that hardly anybody does, and what is meant by a title. */
import { judge } from "./judged-query.ts";
import { long, person, photo, remark, short, spoken } from "./relevant-doc.ts";

const OFTEN_SEEN = { views: 900_000, likes: 60_000 };
const LONG_FORGOTTEN = { views: 120, likes: 4, daysAgo: 880 };

export const englishNeedles = [
  // Titles made of the commonest words, seen by few.
  long("night-market", "Night Market", "Smoke, noise and one very long queue.", LONG_FORGOTTEN),
  long("morning-coffee-garden", "Morning Coffee Garden", "Three chairs and a kettle."),
  long("market", "Market", "Four stalls and a dog.", LONG_FORGOTTEN),
  long("violin", "Violin", "An hour with one instrument.", LONG_FORGOTTEN),
  long("soup-dance", "Soup Dance", "My aunt stirs, everybody moves."),
  long("bicycle-window", "Bicycle in the Window", "It stood there all year."),
  long("little-house-river", "Little House, River Side", "Moving in with two boxes."),
  // What is named in the title against what is said by the way, by somebody far better known.
  long("copper-lantern", "The Copper Lantern", "Cut, bent and soldered from scrap."),
  long("copper-lantern-aside", "What we did on Sunday", "We bought a copper lantern on the way home.", OFTEN_SEEN),
  long("orchard-ferry", "Ferry to the Orchard", "Twenty minutes across."),
  long("orchard-ferry-aside", "My week in pictures", "Took the ferry, then the orchard, then slept.", OFTEN_SEEN),
  long("glassblowing", "Glassblowing for beginners", "Breathe in away from the pipe."),
  long("glassblowing-aside", "Every hobby I gave up", "Knitting, then glassblowing, then chess.", OFTEN_SEEN),
  long("beekeeping", "Beekeeping on a balcony", "Two hives, calm neighbours."),
  long("beekeeping-2", "A first year of beekeeping", "What the swarm taught us."),
  long("lighthouse-keeper", "A day with the lighthouse keeper", "He paints in winter."),
  long("keeper-lighthouse-apart", "The goal keeper who lives in a lighthouse", "A long talk."),
  // Captions only: the platform knows no titles.
  short("marimba-workshop", "Marimba workshop, day three"),
  short("marimba", "She left her marimba on the tram and it came back"),
  short("zeppelin", "A zeppelin made of paper and stubbornness"),
  short("accordion", "Grandfather's accordion under the harbour bridge"),
  short("accordion-2", "Two bellows, one accordion, no rehearsal"),
  short("origami-heron", "Folding an origami heron with cold fingers"),
  short("origami", "Origami for people with no patience"),
  short("stone-bridge-only", "stone bridge"),
  short("ukulele", "Learning the ukulele on the night bus"),
  short("kombucha", "Kombucha, week two: it is alive"),
  // A whole word against a longer one that everybody knows.
  long("kiln", "A kiln behind the shed", "Bricks, clay, luck."),
  long("kilns-famous", "Kilnhouse tour", "Kilnhouse, Kilnhouse, Kilnhouse.", OFTEN_SEEN),
  short("bus-42", "Bus 42 before dawn"),
  short("bus-420", "Bus 420, the last one", OFTEN_SEEN),
  photo("puddle", "The sky, found in a puddle"),
  photo("scaffold", "Scaffolding at dusk, nobody about"),
  photo("scaffold-cat", "A cat asleep on the scaffolding"),
  // Voices.
  person("longvideo", "ch-halloway", "quiet.carpentry", "Quiet Carpentry", { bio: "Hand tools, no talking." }),
  person("longvideo", "ch-carpentry-fan", "sunday.shed", "Sunday Shed", {
    bio: "I like quiet carpentry.",
    followers: 800_000,
  }),
  long("dovetail", "Cutting a dovetail by hand", "No router.", { by: "ch-halloway" }),
  remark("longvideo", "remark-dovetail", "dovetail", "My first dovetail looked like a chewed biscuit"),
  remark("longvideo", "remark-chisel", "dovetail", "Which whetstone do you use for the wide chisel?"),
  remark("shortvideo", "remark-moth", "marimba", "a moth landed on the third bar, did you see"),
  spoken(
    "dovetail",
    "en",
    "Mark the baseline on both sides.",
    "Saw on the waste side of the line.",
    "Pare until it whispers.",
  ),
  spoken("beekeeping", "en", "Light the smoker first.", "Slow hands around the queen.", "Honey comes off in August."),
];

const judged = judge("Latin");

export const englishQueries = [
  judged("common words", "longvideo", "night market", ["night-market"]),
  judged("common words", "longvideo", "morning coffee garden", ["morning-coffee-garden"]),
  judged("common words", "longvideo", "market", ["market"]),
  judged("common words", "longvideo", "violin", ["violin"]),
  judged("common words", "longvideo", "soup dance", ["soup-dance"]),
  judged("common words", "longvideo", "little house river side", ["little-house-river"]),
  judged("common words", "shortvideo", "stone bridge", ["stone-bridge-only"]),
  judged("common words", "everything", "night market", ["night-market"], {
    parameters: { platform: "longvideo", kind: "post" },
  }),
  judged("exact title", "longvideo", "the copper lantern", ["copper-lantern"]),
  judged("exact title", "longvideo", "Bicycle in the Window", ["bicycle-window"]),
  judged("exact title", "longvideo", "glassblowing for beginners", ["glassblowing"]),
  judged("title over caption", "longvideo", "copper lantern", ["copper-lantern"]),
  judged("title over caption", "longvideo", "orchard ferry", ["orchard-ferry"]),
  judged("title over caption", "longvideo", "glassblowing", ["glassblowing"]),
  judged("word", "longvideo", "beekeeping", ["beekeeping", "beekeeping-2"]),
  judged("word", "shortvideo", "marimba", ["marimba", "marimba-workshop"]),
  judged("word", "shortvideo", "origami", ["origami", "origami-heron"]),
  judged("word", "everything", "zeppelin", ["zeppelin"]),
  judged("word", "everything", "scaffolding", ["scaffold", "scaffold-cat"], { parameters: { platform: "photoshare" } }),
  judged("words", "longvideo", "lighthouse keeper", ["lighthouse-keeper"]),
  judged("words", "shortvideo", "harbour accordion", ["accordion"]),
  judged("words", "shortvideo", "tram marimba", ["marimba"]),
  judged("words", "everything", "sky puddle", ["puddle"], { parameters: { kind: "post" } }),
  judged("case", "shortvideo", "MARIMBA Workshop", ["marimba-workshop"]),
  judged("case", "longvideo", "LIGHTHOUSE keeper", ["lighthouse-keeper"]),
  judged("prefix", "shortvideo", "accor", ["accordion", "accordion-2"]),
  judged("prefix", "shortvideo", "harbour accor", ["accordion"]),
  judged("prefix", "longvideo", "glassblo", ["glassblowing"]),
  judged("prefix", "shortvideo", "kombu", ["kombucha"]),
  judged("word", "longvideo", "kiln", ["kiln"]),
  judged("words", "shortvideo", "bus 42", ["bus-42"]),
  judged("common words", "everything", "night market", ["night-market"]),
  judged("word", "everything", "beekeeping", ["beekeeping", "beekeeping-2"]),
  judged("typo", "shortvideo", "accordions", ["accordion", "accordion-2"]),
  judged("typo", "shortvideo", "grandfathers accordion", ["accordion"]),
  judged("typo", "shortvideo", "acordion", ["accordion", "accordion-2"]),
  judged("typo", "shortvideo", "marimbba workshop", ["marimba-workshop"]),
  judged("typo", "shortvideo", "zepellin", ["zeppelin"]),
  judged("typo", "shortvideo", "ukelele", ["ukulele"]),
  judged("typo", "longvideo", "beekeping balcony", ["beekeeping"]),
  judged("typo", "everything", "kombcha", ["kombucha"], { parameters: { platform: "shortvideo", kind: "post" } }),
  judged("exact name", "everything", "quiet carpentry", ["ch-halloway"], {
    parameters: { platform: "longvideo", kind: "account" },
  }),
  judged("exact name", "everything", "quiet.carpentry", ["ch-halloway"], { parameters: { kind: "account" } }),
  judged("comment", "everything", "chewed biscuit", ["remark-dovetail"], { parameters: { kind: "comment" } }),
  judged("comment", "everything", "whetstone chisel", ["remark-chisel"], {
    parameters: { platform: "longvideo", kind: "comment" },
  }),
  judged("comment", "everything", "moth third bar", ["remark-moth"], {
    parameters: { platform: "shortvideo", kind: "comment" },
  }),
  judged("subtitle", "everything", "pare until it whispers", ["dovetail@8"], { parameters: { kind: "subtitle" } }),
  judged("subtitle", "everything", "slow hands around the queen", ["beekeeping@4"], {
    parameters: { platform: "longvideo", kind: "subtitle" },
  }),
];
