/** Bare node:http that sends one recorded response to every request: no service on Node costs less. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Recording } from "./record-response.ts";

const [file = "", port = ""] = process.argv.slice(2);
const { status, headers, keepAliveMs, body } = JSON.parse(readFileSync(file, "utf8")) as Recording;
const bytes = Buffer.from(body, "base64");

createServer({ keepAliveTimeout: keepAliveMs }, (_request, response) => {
  response.writeHead(status, headers).end(bytes);
}).listen(Number(port), "127.0.0.1");
