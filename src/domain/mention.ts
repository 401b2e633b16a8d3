/** Mentions of accounts in a text: `@` and a name, also full-width. What follows the name may look like a part of it. */

/** To be used with the flag `u`. */
export const NAME_RUN = String.raw`[\p{L}\p{M}\p{N}_.·-]{1,64}`;
/** Mentions without a space between them. The first sign is not that of an e-mail address. */
const MENTIONS = new RegExp(`(?<![A-Za-z0-9_%+-])(?:[@＠]${NAME_RUN})+`, "gu");
const MENTION = new RegExp(`[@＠](${NAME_RUN})`, "gu");

/** What begins with each name. */
export function listMentions(text: string): string[] {
  return (text.match(MENTIONS) ?? []).flatMap((mentions) =>
    Array.from(mentions.matchAll(MENTION), ([, run]) => run as string),
  );
}

/** `replace` gets a mention, and it without the sign. */
export function replaceMentions(text: string, replace: (mention: string, run: string) => string): string {
  return text.replaceAll(MENTIONS, (mentions) => mentions.replaceAll(MENTION, replace));
}
