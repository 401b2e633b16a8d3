/** Requests of every kind, ways to mangle them, and the same random numbers in every run. */
import { TEST_TOKEN } from "./test-server.ts";

export const HOST = "Host: service.example\r\n";
export const TOKEN = `Authorization: Bearer ${TEST_TOKEN}\r\n`;
export const LOOKUP = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const FORM = "username_or_url=amara.petrovic";

/** What requests are made of, to be mangled. */
export const REQUESTS = [
  `GET ${LOOKUP} HTTP/1.1\r\n${HOST}${TOKEN}\r\n`,
  `GET /api/search?q=lantern HTTP/1.1\r\n${HOST}${TOKEN}Accept-Encoding: br\r\nPrefer: unknown=null\r\n\r\n`,
  `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM.length}\r\n\r\n${FORM}`,
  `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n24\r\n{"username_or_url":"amara.petrovic"}\r\n0\r\n\r\n`,
  `POST /api/photoshare/get-user-tagged-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 93\r\n\r\n--edge\r\nContent-Disposition: form-data; name="username_or_url"\r\n\r\namara.petrovic\r\n--edge--\r\n`,
  `POST /api/batch HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"requests":[]}`,
  `POST /mcp HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
  `GET /docs/errors HTTP/1.1\r\n${HOST}If-None-Match: *\r\n\r\n`,
  `GET /feeds/key/search.atom?q=lantern HTTP/1.1\r\n${HOST}\r\n`,
  `OPTIONS /ingest/files HTTP/1.1\r\n${HOST}Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
];

/** What a run of many once found to be answered with a 5xx. */
export const ONCE_FAILED = [
  `GET /feeds/${"a".repeat(9_000)}/search.atom?q=lantern HTTP/1.1\r\n${HOST}\r\n`,
  "PRI *,TTP/2.0\r\n\r\nSM\r\n\r\n",
];

/** The same numbers in every run: what fails can be repeated. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PARTS = [
  "\r\n",
  "\r\n\r\n",
  "\0",
  "%",
  "%00",
  "{",
  '"',
  "\xff\xfe",
  ": ",
  ",",
  ";",
  "0",
  "Content-Length: 7\r\n",
  "chunked",
  "../",
  "__proto__",
  "\u2028",
  "a".repeat(9_000),
];

export function mangle(text: string, random: (below: number) => number): string {
  let mangled = text;
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(mangled.length + 1);
    const length = random(3) === 0 ? random(40) : random(3);
    const inserted = random(2) === 0 ? String.fromCharCode(random(256)) : (PARTS[random(PARTS.length)] as string);
    mangled = mangled.slice(0, at) + (random(4) === 0 ? "" : inserted) + mangled.slice(at + length);
  }
  return mangled;
}

export async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
