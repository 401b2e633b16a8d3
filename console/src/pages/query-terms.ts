/** Terms of a query, such as `lang:pt` or `#food`, added and taken away by the facets. Phrases in quotes stay whole. */

const TERMS = /-?(?:[\w]+:)?"[^"]*"|\S+/g;

const termsOf = (query: string): string[] => query.match(TERMS) ?? [];

export function hasTerm(query: string, term: string): boolean {
  return termsOf(query).some((one) => one.toLowerCase() === term.toLowerCase());
}

/** In front: only the last word of a query may be the beginning of one, and it has to stay the last. */
export function addTerm(query: string, term: string): string {
  return hasTerm(query, term) ? query : [term, ...termsOf(query)].join(" ");
}

export function removeTerm(query: string, term: string | RegExp): string {
  const isIt = (one: string) => (typeof term === "string" ? one.toLowerCase() === term.toLowerCase() : term.test(one));
  return termsOf(query)
    .filter((one) => !isIt(one))
    .join(" ");
}
