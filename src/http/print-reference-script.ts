/** Run by reference-script.ts: prints the script of the API reference. */
import scalar from "@scalar/fastify-api-reference";
import fastify from "fastify";

// The package has its script only as a route.
const app = fastify();
await app.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
const { statusCode, rawPayload } = await app.inject("/docs/js/scalar.js");
if (statusCode !== 200) throw new Error(`the reference package responded with ${statusCode} for its script`);
process.stdout.write(rawPayload);
