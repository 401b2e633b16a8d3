/** The topics of the demo world, those that most people publish about first. */
import { astronomy } from "./topics/astronomy.ts";
import { chess } from "./topics/chess.ts";
import { cityCycling } from "./topics/city-cycling.ts";
import { filmPhotography } from "./topics/film-photography.ts";
import { hiking } from "./topics/hiking.ts";
import { homeCoffee } from "./topics/home-coffee.ts";
import { homeMusic } from "./topics/home-music.ts";
import { knitting } from "./topics/knitting.ts";
import { pottery } from "./topics/pottery.ts";
import { retroGames } from "./topics/retro-games.ts";
import { shortFilm } from "./topics/short-film.ts";
import { streetDance } from "./topics/street-dance.ts";
import { streetFood } from "./topics/street-food.ts";
import type { Language, Topic, TopicTexts } from "./topics/topic.ts";
import { urbanGardening } from "./topics/urban-gardening.ts";

export const TOPICS: readonly Topic[] = [
  streetFood,
  homeMusic,
  retroGames,
  hiking,
  homeCoffee,
  shortFilm,
  streetDance,
  urbanGardening,
  astronomy,
  chess,
  pottery,
  filmPhotography,
  cityCycling,
  knitting,
];

export const LANGUAGES: readonly Language[] = ["en", "es", "ar", "ja", "hi"];

export function listLanguages(topic: Topic): Language[] {
  return LANGUAGES.filter((language) => topic.texts[language] !== undefined);
}

/** A topic's texts in a language, else in English. */
export function getTexts(topic: Topic, language: Language): TopicTexts {
  return topic.texts[language] ?? topic.texts.en;
}
