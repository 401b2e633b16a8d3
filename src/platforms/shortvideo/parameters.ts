import { integerParameter, textParameter } from "#api/parameters.ts";

export const MusicIdParameter = textParameter("Identifier of the sound.", { maxLength: 64 });
export const VideoIdParameter = textParameter("Identifier of the video.", { maxLength: 64 });
export const CursorParameter = integerParameter({
  default: 0,
  description: "0 for the first page; for a next page the `cursor` of the answer before.",
});
