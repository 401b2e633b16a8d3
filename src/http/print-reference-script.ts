/** Program that reference-script.ts runs: writes the script to standard output. */
import scalar from "@scalar/fastify-api-reference";
import fastify from "fastify";

// The package offers its script only as a route.
const app = fastify();
await app.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
const { statusCode, rawPayload } = await app.inject("/docs/js/scalar.js");
if (statusCode !== 200) throw new Error(`The reference's package answered ${statusCode} for its script.`);
process.stdout.write(rawPayload);
