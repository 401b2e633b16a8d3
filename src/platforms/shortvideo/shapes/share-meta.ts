import { Text, wireObject } from "#api/wire.ts";

/** The text of a link preview. */
export const ShareMeta = wireObject({ title: Text, desc: Text });
