import { Text, wireObject } from "#contract/wire.ts";

/** What a link preview would say. */
export const ShareMeta = wireObject({ title: Text, desc: Text });
