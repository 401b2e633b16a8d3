/** Language codes: their usual form, and those of the names that people send in their place. */

/** ISO 639-1. */
const LANGUAGES =
  "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split(
    " ",
  );

/** What speakers of large languages call them. Intl has these names too, but loading a locale for each takes seconds. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ["deutsch", "de"],
  ["español", "es"],
  ["français", "fr"],
  ["italiano", "it"],
  ["português", "pt"],
  ["nederlands", "nl"],
  ["polski", "pl"],
  ["türkçe", "tr"],
  ["русский", "ru"],
  ["العربية", "ar"],
  ["हिन्दी", "hi"],
  ["中文", "zh"],
  ["日本語", "ja"],
  ["한국어", "ko"],
]);

/** The usual code of a language that captures write in several ways: `he` for `iw`, `en-US` for `eng-US`. */
export function canonicalLanguage(code: string): string {
  try {
    return Intl.getCanonicalLocales(code.replaceAll("_", "-"))[0] ?? code;
  } catch {
    return code;
  }
}

/** The code of a language by its name, or of a tag with underscores: `en` for english; null for others. */
export function suggestLanguage(text: string): string | null {
  const typed = text.trim().toLowerCase();
  const tag = typed.replaceAll("_", "-");
  if (/^[a-z]{2,3}-(?:[a-z]{2}|\d{3}|[a-z]{4})$/.test(tag)) return Intl.getCanonicalLocales(tag)[0] ?? null;
  const names = new Intl.DisplayNames("en", { type: "language" });
  return OWN_NAMES.get(typed) ?? LANGUAGES.find((code) => names.of(code)?.toLowerCase() === typed) ?? null;
}
