/** A capture to measure with: posts in the short-video platform's own shape, deterministic, with people, sounds and tags shared by many. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";

const PEOPLE = 50_000;
const SOUNDS = 10_000;
const TAGS = 5_000;
const WORDS = 30_000;

/** A small generator of even numbers from 0 to 1: the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Small numbers come up often, as words and people do. */
function skewed(random: () => number, size: number): number {
  return Math.floor(size ** random()) - 1;
}

const SYLLABLES = [
  "ka",
  "ro",
  "mi",
  "ten",
  "sol",
  "va",
  "li",
  "dor",
  "en",
  "pas",
  "tu",
  "gri",
  "fa",
  "nel",
  "ys",
  "bo",
];

export function word(number: number): string {
  let text = "";
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16];
  return text;
}

export const BEGIN = 1_700_000_000;

/** What one post says, and when. */
export interface Drawn {
  text: string;
  tags: string[];
  createTime: number;
  views: number;
}

function draw(number: number, random: () => number): Drawn {
  return {
    tags: [...new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, () => word(skewed(random, TAGS))))],
    text: Array.from({ length: 6 + Math.floor(random() * 14) }, () => word(skewed(random, WORDS))).join(" "),
    createTime: BEGIN + number * 40,
    views: Math.floor(10 ** (2 + random() * 5)),
  };
}

export function item(
  number: number,
  random: () => number,
  { text, tags, createTime, views }: Drawn = draw(number, random),
) {
  const person = skewed(random, PEOPLE);
  const sound = skewed(random, SOUNDS);
  const id = String((BigInt(createTime) << 32n) | BigInt(Math.floor(random() * 4_294_967_295)));
  const media = `https://media.example/v/${id}`;
  return {
    id,
    desc: `${text} ${tags.map((tag) => `#${tag}`).join(" ")}`,
    createTime,
    author: {
      id: `68${String(person).padStart(17, "0")}`,
      uniqueId: `${word(person)}.${person}`,
      nickname: `${word(person)} ${word(person + 7)}`,
      avatarLarger: `https://media.example/a/${person}/1080.jpeg`,
      avatarMedium: `https://media.example/a/${person}/720.jpeg`,
      avatarThumb: `https://media.example/a/${person}/100.jpeg`,
      signature: "",
      verified: person % 97 === 0,
      secUid: `MS4wLjABAAAA${word(person)}${person}`,
    },
    stats: {
      diggCount: Math.floor(views / 11),
      shareCount: Math.floor(views / 140),
      commentCount: Math.floor(views / 90),
      playCount: views,
      collectCount: Math.floor(views / 60),
    },
    video: {
      id,
      duration: 5 + Math.floor(random() * 170),
      cover: `${media}/cover.jpeg`,
      playAddr: `${media}/play.mp4`,
      downloadAddr: `${media}/download.mp4`,
      format: "mp4",
      definition: "720p",
      bitrate: 900_000 + Math.floor(random() * 900_000),
      codecType: "h264",
      width: 720,
      height: 1280,
    },
    music: {
      id: `71${String(sound).padStart(17, "0")}`,
      title: `${word(sound)} ${word(sound + 3)}`,
      authorName: word(sound + 11),
      duration: 30 + (sound % 90),
      coverLarge: `https://media.example/s/${sound}/large.jpeg`,
      playUrl: `https://media.example/s/${sound}/play.mp3`,
      original: sound % 3 === 0,
    },
    challenges: tags.map((title, index) => ({ id: `16${index}${title.length}${title}`, title })),
    textExtra: tags.map((hashtagName) => ({ hashtagName })),
  };
}

export async function writeCapture(path: string, items: number): Promise<void> {
  const random = seeded(20_261_115);
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  let lines: string[] = [];
  for (let number = 0; number < items; number++) {
    lines.push(JSON.stringify(item(number, random)));
    if (lines.length < 1_000 && number < items - 1) continue;
    if (!file.write(`${lines.join("\n")}\n`)) await once(file, "drain");
    lines = [];
  }
  file.end();
  await once(file, "finish");
}
