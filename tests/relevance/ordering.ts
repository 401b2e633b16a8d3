/** Between equal texts, attention and freshness decide; languages, countries and windows are asked for beside the words. */
import { judge } from "./judged-query.ts";
import { long, short } from "./relevant-doc.ts";

const HOUR = 1 / 24;

export const orderingNeedles = [
  short("sourdough-quiet", "Sourdough starter, day one", { views: 400, likes: 10 }),
  short("sourdough-known", "Sourdough starter, day one", { views: 40_000, likes: 3_000 }),
  short("sourdough-famous", "Sourdough starter, day one", { views: 4_000_000, likes: 300_000 }),
  short("cartwheel-old", "Cartwheel attempt number nine", { daysAgo: 900 }),
  short("cartwheel-fresh", "Cartwheel attempt number nine", { daysAgo: 1 }),
  short("cartwheel-middling", "Cartwheel attempt number nine", { daysAgo: 300 }),
  long("periscope-quiet", "A periscope from milk cartons", "Two mirrors.", { views: 500 }),
  long("periscope-famous", "A periscope from milk cartons", "Two mirrors.", { views: 3_000_000 }),
  long("weathervane-old", "Painting a weathervane", "Primer first.", { daysAgo: 1_000 }),
  long("weathervane-fresh", "Painting a weathervane", "Primer first.", { daysAgo: 2 }),
  // A better text is worth more than attention.
  long("sundial-title", "Sundial", "Noon is noon.", { views: 300 }),
  long("sundial-aside", "Everything in my yard", "A pond, a sundial, a bench.", { views: 5_000_000, daysAgo: 1 }),
  // The same thing told in several languages and countries.
  long("tortilla-es", "Tortilla", "Patata y huevo.", { language: "es", country: "ES" }),
  long("tortilla-mx", "Tortilla", "Maíz y comal.", { language: "es", country: "MX" }),
  long("tortilla-fr", "Tortilla", "Pommes de terre et œufs.", { language: "fr", country: "FR" }),
  long("tango-ar", "Tango", "Pasos.", { language: "es", country: "AR" }),
  long("tango-fi", "Tango", "Askeleet.", { language: "fi", country: "FI" }),
  long("tango-jp", "Tango", "ステップ。", { language: "ja", country: "JP" }),
  // Windows that end now.
  long("eclipse-minutes", "Eclipse from the roof", "It just began.", { daysAgo: HOUR / 4, views: 90 }),
  long("eclipse-days", "Eclipse from the bus", "Tinted glass.", { daysAgo: 3 }),
  long("eclipse-weeks", "Eclipse from the ferry", "Clouds.", { daysAgo: 20 }),
  long("eclipse-months", "Eclipse from the field", "Crickets stopped.", { daysAgo: 150 }),
  long("eclipse-years", "Eclipse", "The one everybody saw.", { daysAgo: 1_200, views: 8_000_000 }),
];

const judged = judge("Latin");
const within = (order_by: string) => ({ parameters: { order_by } });

export const orderingQueries = [
  judged("order", "shortvideo", "sourdough starter", ["sourdough-famous"]),
  judged("order", "shortvideo", "sourdough starter day one -number", ["sourdough-famous"]),
  judged("order", "shortvideo", "cartwheel attempt", ["cartwheel-fresh"]),
  judged("order", "longvideo", "periscope", ["periscope-famous"]),
  judged("order", "longvideo", "weathervane", ["weathervane-fresh"]),
  judged("order", "longvideo", "sundial", ["sundial-title"]),
  judged("preference", "longvideo", "tortilla", ["tortilla-fr"], { parameters: { lang: "fr" } }),
  judged("preference", "longvideo", "tortilla", ["tortilla-mx"], { parameters: { lang: "es", country: "MX" } }),
  judged("preference", "longvideo", "tortilla", ["tortilla-es"], { parameters: { lang: "es", country: "ES" } }),
  judged("preference", "longvideo", "tango", ["tango-fi"], { parameters: { lang: "fi" } }),
  judged("preference", "longvideo", "tango", ["tango-jp"], { parameters: { country: "JP" } }),
  judged("preference", "longvideo", "tango", ["tango-ar", "tango-fi", "tango-jp"], { parameters: { lang: "sw" } }),
  judged("window", "longvideo", "eclipse", ["eclipse-minutes"], {
    ...within("last_hour"),
    absent: ["eclipse-days", "eclipse-years"],
  }),
  judged("window", "longvideo", "eclipse", ["eclipse-minutes", "eclipse-days"], {
    ...within("this_week"),
    absent: ["eclipse-weeks", "eclipse-years"],
  }),
  judged("window", "longvideo", "eclipse", ["eclipse-minutes", "eclipse-days", "eclipse-weeks"], {
    ...within("this_month"),
    absent: ["eclipse-months", "eclipse-years"],
  }),
  judged("window", "longvideo", "eclipse", ["eclipse-minutes", "eclipse-days", "eclipse-weeks", "eclipse-months"], {
    ...within("this_year"),
    absent: ["eclipse-years"],
  }),
  judged("exact title", "longvideo", "eclipse", ["eclipse-years"]),
];
