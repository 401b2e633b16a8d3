import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute } from "../admin-route.ts";
import { TokenShape, toTokenShape } from "../token-shape.ts";

export const listTokens = adminRoute({
  method: "GET",
  path: "/admin/tokens",
  access: ["admin"],
  summary: "All tokens, without their secrets",
  description: "Oldest first, with the scopes that a token may have. `API_TOKEN` of the environment is not among them.",
  input: Type.Object({}),
  output: wireObject({
    tokens: Type.Array(TokenShape),
    scopes: Type.Array(wireObject({ name: Type.String(), sentence: Type.String() }), {
      description: "Scopes that a token may be given.",
    }),
  }),
  async handle({ services: { tokens, scopes }, now }) {
    const records = await tokens.list();
    return { body: { tokens: records.map((record) => toTokenShape(record, now)), scopes: [...scopes] } };
  },
});
