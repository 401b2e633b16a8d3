import type { Language } from "./topics/topic.ts";
import { arabic } from "./voices/ar.ts";
import { english } from "./voices/en.ts";
import { spanish } from "./voices/es.ts";
import { hindi } from "./voices/hi.ts";
import { japanese } from "./voices/ja.ts";
import type { Voice } from "./voices/voice.ts";

export const VOICES: Readonly<Record<Language, Voice>> = {
  en: english,
  es: spanish,
  ar: arabic,
  ja: japanese,
  hi: hindi,
};
