import type { Recogniser } from "#contract/importer.ts";

export const recognise: Recogniser = () => false;
