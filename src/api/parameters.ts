/** Parameters shared by several platforms. A parameter's schema is its documentation and its validation. */
import { Type } from "./schema.ts";

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

/** Case-insensitive; the value is passed on as spelled in `choices`. */
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

/** A day as it is sent; the input parser rejects anything else. */
export function dayParameter(description: string) {
  return Type.Optional(Type.String({ format: "date", maxLength: 10, description }));
}

/** A search's token lists up to a thousand returned documents; it must fit into a URL. */
export const PAGE_TOKEN_LENGTH = 6_500;

export const PageTokenParameter = Type.Optional(
  Type.String({
    maxLength: PAGE_TOKEN_LENGTH,
    description:
      "Empty or absent for the first page; for the next page, the token of the previous response. Valid for 24 hours.",
  }),
);
