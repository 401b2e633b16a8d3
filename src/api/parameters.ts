/** Parameters that several platforms share. A parameter's schema is its documentation and its check. */
import { Type } from "typebox";

/** Largest integer that JSON numbers carry exactly. */
const MAX_EXACT = Number.MAX_SAFE_INTEGER;

export function integerParameter(options: {
  minimum?: number;
  maximum?: number;
  default: number;
  description: string;
}) {
  return Type.Integer({ minimum: 0, maximum: MAX_EXACT, ...options });
}

export function textParameter(description: string, options: { maxLength?: number } = {}) {
  return Type.String({ minLength: 1, maxLength: options.maxLength ?? 200, description });
}

/** Case does not matter; the value arrives as it is written in `choices`. */
export function choiceParameter<const Choice extends string>(
  choices: readonly [...Choice[]],
  options: { description: string; default?: Choice },
) {
  return Type.Enum<Choice[]>([...choices], options);
}

export const LanguageParameter = Type.Optional(
  Type.String({ format: "bcp47", maxLength: 35, description: "Language code (BCP 47), such as `en` or `pt-BR`." }),
);

export const CountryParameter = Type.Optional(
  Type.String({
    format: "country",
    maxLength: 2,
    description: "Country code (ISO 3166 alpha-2) in any case, such as `US`.",
  }),
);

/** A search's token names what was given so far, a thousand at most; it must fit into an address. */
export const PAGE_TOKEN_LENGTH = 6_500;

/** Empty asks for the first page. */
export const PageTokenParameter = Type.Optional(
  Type.String({
    maxLength: PAGE_TOKEN_LENGTH,
    description:
      "Empty or absent for the first page; for a next page the token that the answer before gave. Lives 24 hours.",
  }),
);
