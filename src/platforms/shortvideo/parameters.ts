import { integerParameter, textParameter } from "#api/parameters.ts";

export const MusicIdParameter = textParameter("Id of the sound.", { maxLength: 64 });
export const VideoIdParameter = textParameter("Id of the video.", { maxLength: 64 });
export const CursorParameter = integerParameter({
  default: 0,
  description: "0 for the first page; for the next page, the `cursor` of the previous response.",
});
