import type { Platform } from "#contract/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";

export const shortvideo: Platform = {
  name: "shortvideo",
  title: "Short-video platform",
  summary: "Short videos: posts, profiles, comments, sounds, search and rankings.",
  endpoints: ENDPOINTS,
  async reading() {
    const [{ IMPORTERS }, { recognise }] = await Promise.all([import("./importers.ts"), import("./recognise.ts")]);
    return { importers: IMPORTERS, recognise };
  },
};
