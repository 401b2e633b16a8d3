/** Mentions of accounts in a text: `@` and a name, also full-width. What follows the name may look like a part of it. */

/** To be used with the flag `u`. */
export const NAME_RUN = String.raw`[\p{L}\p{M}\p{N}_.·-]{1,64}`;
/** Mentions without a space between them. The first sign is not that of an e-mail address. */
const MENTIONS = new RegExp(`(?<![A-Za-z0-9_%+-])(?:[@＠]${NAME_RUN})+`, "gu");
const MENTION = new RegExp(`[@＠](${NAME_RUN})`, "gu");
/** In scripts without spaces, the text may continue right after a name. */
const LATIN_NAME = /^[\p{Script=Latin}\p{M}\p{N}_.·-]*[\p{Script=Latin}\p{M}\p{N}_]/u;
/** A sentence may end right after a name. */
const WITHOUT_END = /^.*[^.·-]/su;
const TRAILING_PART = /[.·-][^.·-]*$/;
const MAX_PARTS = 5;

/** What begins with each name. */
export function listMentions(text: string): string[] {
  return (text.match(MENTIONS) ?? []).flatMap((mentions) =>
    Array.from(mentions.matchAll(MENTION), ([, run = ""]) => run),
  );
}

/** `replace` gets a mention, and it without the sign. */
export function replaceMentions(text: string, replace: (mention: string, run: string) => string): string {
  return text.replaceAll(MENTIONS, (mentions) => mentions.replaceAll(MENTION, replace));
}

/** What a mention may name, the longest first: names may contain dots, and a sentence may end with one. */
export function listNames(run: string): string[] {
  const names = new Set<string>();
  for (const name of [run, LATIN_NAME.exec(run)?.[0] ?? run]) {
    let rest = name;
    for (let part = 0; part < MAX_PARTS && rest !== ""; part++) {
      names.add(rest);
      rest = TRAILING_PART.test(rest) ? rest.replace(TRAILING_PART, "") : "";
    }
  }
  return [...names].toSorted((one, other) => other.length - one.length);
}

/** What a mention most likely names if none of its names is known; null if it cannot be a name. */
export function guessName(run: string): string | null {
  return (LATIN_NAME.exec(run) ?? WITHOUT_END.exec(run))?.[0] ?? null;
}
