/** A bare Fastify route: the same bytes from a constant, and nothing of the framework that was not asked for. */
import fastify from "fastify";
import { KEEP_ALIVE_MS, serveRecorded } from "./http-recorded.ts";

await serveRecorded(({ method, path, status, headers, body }, port) => {
  const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, form, done) => done(null, form));
  app.route({
    method,
    url: path,
    handler: (_request, reply) =>
      reply
        .code(status)
        .headers(headers)
        .send(status === 304 ? undefined : body),
  });
  return app.listen({ port, host: "127.0.0.1" });
});
