import { textParameter } from "#api/parameters.ts";

export const VideoIdParameter = textParameter("Id of the video.", { maxLength: 64 });
