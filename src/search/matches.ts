/** Whether a document matches, told from the document itself: for sets that are too large to be searched. */
import type { SearchDocument } from "./documents.ts";
import type { Match } from "./match.ts";
import type { ResolvedMatch } from "./searcher.ts";
import { hasPhrases } from "./strategies.ts";

export function matches({ match, ngrams, allBut, bounds }: ResolvedMatch, document: SearchDocument): boolean {
  const { since = 0, until = Infinity, minViews = -1, minLikes = -1 } = bounds;
  const { at, views, likes, title, tags, text, filterTerms } = document;
  if (at < since || at >= until || views < minViews || likes < minLikes) return false;
  const fields = [title, tags, text].map((field) => ` ${field} `);
  const tokens = new Set(`${title} ${tags} ${text} ${filterTerms}`.split(" "));
  if (allBut !== null) return !fits(allBut, tokens, fields);
  if (fits(match, tokens, fields)) return true;
  return fits(ngrams.match, tokens, fields) && hasPhrases(ngrams.phrases, document);
}

function fits(match: Match, tokens: ReadonlySet<string>, fields: readonly string[]): boolean {
  if (typeof match === "string") return tokens.has(match);
  // A phrase lies within one field.
  if ("phrase" in match) return fields.some((field) => field.includes(` ${match.phrase.join(" ")} `));
  if ("all" in match) return match.all.length > 0 && match.all.every((part) => fits(part, tokens, fields));
  if ("any" in match) return match.any.some((part) => fits(part, tokens, fields));
  return fits(match.match, tokens, fields) && !fits(match.not, tokens, fields);
}
