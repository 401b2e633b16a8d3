import { textParameter } from "#api/parameters.ts";

export const VideoIdParameter = textParameter("Identifier of the video.", { maxLength: 64 });
