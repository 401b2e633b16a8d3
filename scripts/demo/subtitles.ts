/** Subtitles of long videos, in the languages of their topics. */
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { Random } from "./random.ts";
import { SOURCE } from "./scenario.ts";
import { listLanguages } from "./topics.ts";
import type { Language } from "./topics/topic.ts";
import { spokenLines, type Subject } from "./writing.ts";

const MAX_LINES = 40;

export interface Video {
  id: string;
  durationS: number;
  subject: Subject;
}

/** One to four tracks, the video's own language first; some are automatic. */
export function createSubtitles(random: Random, video: Video, capturedAt: number): SubtitleTrack[] {
  const own = video.subject.language;
  const others = listLanguages(video.subject.topic).filter((language) => language !== own);
  const translated = random.sample(others, random.integer(0, 3));
  return [own, ...translated].map((language) =>
    createTrack(random, video, language, random.chance(language === own ? 0.4 : 0.25), capturedAt),
  );
}

export function createTrack(
  random: Random,
  { id, durationS, subject }: Video,
  language: Language,
  automatic: boolean,
  capturedAt: number,
): SubtitleTrack {
  const count = Math.min(MAX_LINES, Math.max(5, Math.floor(durationS / 5)));
  const texts = spokenLines(random, { ...subject, language }, count);
  const step = durationS / count;
  const lines = texts.map((text, index): SubtitleLine => {
    const startS = roundToHundredths(index * step + random.between(0, step * 0.2));
    return { startS, durationS: roundToHundredths(Math.min(step * 0.75, random.between(1.6, 4.4))), text };
  });
  return { postId: id, language, automatic, lines, capturedAt, source: SOURCE };
}

function roundToHundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
