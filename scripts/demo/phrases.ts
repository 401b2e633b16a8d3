import type { Language } from "./topics/topic.ts";
import { arabic } from "./phrases/ar.ts";
import { english } from "./phrases/en.ts";
import { spanish } from "./phrases/es.ts";
import { hindi } from "./phrases/hi.ts";
import { japanese } from "./phrases/ja.ts";
import type { LanguagePhrases } from "./phrases/language-phrases.ts";

export const PHRASES: Readonly<Record<Language, LanguagePhrases>> = {
  en: english,
  es: spanish,
  ar: arabic,
  ja: japanese,
  hi: hindi,
};
