/** Whether a record matches, told from the record itself: for sets that are too large to be searched. */
import { boundedNumbersOf, type Content, documentFrom, listFieldTerms, type SearchDocument } from "./documents.ts";
import { isFieldTerm } from "./filter-terms.ts";
import type { Match } from "./match.ts";
import type { ResolvedMatch } from "./searcher.ts";
import { hasPhrases } from "./strategies.ts";

export function matches({ match, ngrams, allBut, bounds }: ResolvedMatch, content: Content): boolean {
  const { since = 0, until = Infinity, minViews = -1, minLikes = -1 } = bounds;
  const { at, views, likes } = boundedNumbersOf(content);
  if (at < since || at >= until || views < minViews || likes < minLikes) return false;
  const found = new Tokens(content);
  if (allBut !== null) return !fits(allBut, found);
  if (fits(match, found)) return true;
  return fits(ngrams.match, found) && hasPhrases(ngrams.phrases, found.words.document);
}

interface Words {
  document: SearchDocument;
  tokens: ReadonlySet<string>;
  /** Each between spaces. */
  fields: readonly string[];
}

/** Reads the words when they are first asked for: that takes most of the time. */
class Tokens {
  readonly #content: Content;
  readonly #fieldTerms: ReadonlySet<string>;
  #words: Words | undefined;

  constructor(content: Content) {
    this.#content = content;
    this.#fieldTerms = new Set(listFieldTerms(content));
  }

  has(token: string): boolean {
    return (isFieldTerm(token) ? this.#fieldTerms : this.words.tokens).has(token);
  }

  get words(): Words {
    return (this.#words ??= readWords(this.#content));
  }
}

function readWords(content: Content): Words {
  const document = documentFrom(content);
  const { title, tags, text, filterTerms } = document;
  return {
    document,
    tokens: new Set(`${title} ${tags} ${text} ${filterTerms}`.split(" ")),
    fields: [title, tags, text].map((field) => ` ${field} `),
  };
}

function fits(match: Match, found: Tokens): boolean {
  if (typeof match === "string") return found.has(match);
  // A phrase lies within one field.
  if ("phrase" in match) return found.words.fields.some((field) => field.includes(` ${match.phrase.join(" ")} `));
  // From the end, where the filters are: most need no words.
  if ("all" in match) return match.all.length > 0 && match.all.toReversed().every((part) => fits(part, found));
  if ("any" in match) return match.any.toReversed().some((part) => fits(part, found));
  return fits(match.match, found) && !fits(match.not, found);
}
