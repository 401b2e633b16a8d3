import { textParameter } from "#contract/parameters.ts";

export const VideoIdParameter = textParameter("Identifier of the video.", { maxLength: 64 });
