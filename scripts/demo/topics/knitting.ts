import type { Topic } from "./topic.ts";

export const knitting: Topic = {
  key: "knitting",
  category: { id: "26", name: "Howto & Style" },
  emoji: ["🧶", "🐑", "🧦", "💛", "☁️"],
  texts: {
    en: {
      label: "knitting",
      tags: ["knitting", "handknit", "yarnlove", "sockknitting", "slowfashion", "woolly"],
      things: [
        "a cable sweater",
        "the striped socks",
        "a lace shawl",
        "baby mittens",
        "the never-ending blanket",
        "a bobble hat",
      ],
      titles: [
        "Knitting {thing} in one weekend",
        "I frogged {thing} three times: here is why",
        "The yarn shops of {city}, a small tour",
        "{thing} from leftovers only",
        "Fix a dropped stitch without crying",
      ],
      openers: [
        "Cast off {thing} at two in the morning, no regrets.",
        "I said one more row. That was four hours ago.",
        "Found a tiny wool shop in {city} and lost my budget.",
        "Finished {thing}, and for once the size is right!",
        "Ripped back half of {thing}. We do not talk about it.",
      ],
      details: [
        "Merino from a farm two valleys away.",
        "Always swatch. I did not swatch.",
        "Blocking is magic, look at those edges.",
        "The cat helped, so allow for some fur.",
        "Row counter lost, so I counted with beans.",
        "Second sock syndrome is real.",
      ],
      comments: [
        "second sock syndrome, I feel seen",
        "pattern name please!",
        "the cables are so crisp",
        "how many skeins did {thing} take?",
        "my cat would have eaten that in a minute",
        "blocking really is magic",
        "I am stuck on the heel, any tips?",
      ],
    },
  },
};
