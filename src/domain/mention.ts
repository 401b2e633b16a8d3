/** What begins a mention in a text: `@`, also full-width, but not that of an e-mail address. To be followed by a name. */
export const MENTION_SIGN = String.raw`(?<![A-Za-z0-9_%+-])[@＠]`;
