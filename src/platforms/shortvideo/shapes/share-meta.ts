import { Text, wireObject } from "#api/wire.ts";

/** What a link preview would say. */
export const ShareMeta = wireObject({ title: Text, desc: Text });
