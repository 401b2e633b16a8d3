/** 200 texts that try to run, and a world in which every imported text is one of them. */
import { blankRecord } from "#domain/blank-record.ts";
import type { Batch } from "#store/write/port.ts";
import { aComment, aFollow, anAccount, aPost, CAPTURED_AT, T0 } from "../world.ts";

/** Each would count itself in the page. */
const PAYLOADS: ((count: string) => string)[] = [
  (run) => `<script>${run}</script>`,
  (run) => `<img src=x onerror="${run}">`,
  (run) => `<svg onload="${run}"></svg>`,
  (run) => `javascript:${run}`,
  (run) => `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  (run) => `<a href="javascript:${run}" autofocus onfocus="${run}">x</a>`,
  (run) => `<details open ontoggle="${run}"><summary>x</summary></details>`,
  (run) => `<input autofocus onfocus="${run}">`,
  (run) => `<object data="javascript:${run}"></object>`,
  (run) => `<math><mi xlink:href="javascript:${run}">x</mi></math>`,
  (run) => `<style>@import "javascript:${run}";</style>`,
  (run) => `<video><source onerror="${run}"></video>`,
  (run) => `{{constructor.constructor("${run}")()}}`,
  (run) => "${" + run + "}",
  (run) => `<template><script>${run}</script></template>`,
  (run) => `<base href="javascript:${run}//">`,
  (run) => `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  (run) => `<form action="javascript:${run}"><button>x</button></form>`,
  (run) => `&lt;script&gt;${run}&lt;/script&gt;`,
  (run) => `\u003cimg src=x onerror=${run}\u003e`,
];
const PREFIXES = ["", `">`, `'>`, "-->", "]]>", "</textarea>", "</script>", "</title>", "\u202e", "`"];

export const HOSTILE_TEXTS: readonly string[] = PREFIXES.flatMap((prefix, row) =>
  PAYLOADS.map((payload, column) => `${prefix}${payload(`executed.push(${row * PAYLOADS.length + column})`)} hostile`),
);

const provenance = { capturedAt: CAPTURED_AT, source: HOSTILE_TEXTS[1] ?? "" };
const text = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";

export const HOSTILE_ACCOUNT = "9900000000000000001";
export const HOSTILE_POST = "9910000000000000001";
export const HOSTILE_SOUND = "9920000000000000001";
export const HOSTILE_PLACE = "9930000000000000001";

const followers = HOSTILE_TEXTS.map((words, index) =>
  anAccount(`99400000000000${String(index).padStart(5, "0")}`, `guest${index}`, {
    displayName: words,
    bio: text(index + 1),
  }),
);

export const HOSTILE_WORLD: { platform: string; batch: Batch }[] = [
  {
    platform: "shortvideo",
    batch: {
      accounts: [
        anAccount(HOSTILE_ACCOUNT, "hostile.author", {
          displayName: text(0),
          bio: text(1),
          native: { avatarLarger: text(3), bioLink: { link: text(3), risk: 0 } },
        }),
        ...followers,
      ],
      follows: followers.map(({ id }) => aFollow(HOSTILE_ACCOUNT, id, T0)),
      posts: HOSTILE_TEXTS.map((words, index) =>
        aPost(String(BigInt(HOSTILE_POST) + BigInt(index)), {
          ...provenance,
          authorId: HOSTILE_ACCOUNT,
          title: words,
          text: text(index + 7),
          hashtags: ["hostile", words.slice(0, 60)],
          soundId: HOSTILE_SOUND,
          placeId: HOSTILE_PLACE,
          category: words,
          native: { video: { cover: text(3), playAddr: text(3) } },
        }),
      ),
      comments: HOSTILE_TEXTS.map((words, index) =>
        aComment(`99500000000000${String(index).padStart(5, "0")}`, HOSTILE_POST, {
          authorId: followers[index]?.id ?? null,
          text: words,
        }),
      ),
      sounds: [
        {
          ...blankRecord("sound"),
          id: HOSTILE_SOUND,
          title: text(21),
          artistName: text(22),
          native: {},
          ...provenance,
        },
      ],
      places: [
        { ...blankRecord("place"), id: HOSTILE_PLACE, name: text(41), city: text(42), native: {}, ...provenance },
      ],
      subtitles: [
        {
          postId: HOSTILE_POST,
          language: "en",
          automatic: false,
          lines: HOSTILE_TEXTS.map((words, index) => ({ startS: index * 2, durationS: 2, text: words })),
          ...provenance,
        },
      ],
    },
  },
];
