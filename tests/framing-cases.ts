/**
 * Requests whose end, or whose meaning, a server may read differently from a proxy in front of it (RFC 9112). `refused` gets
 * an error and a closed connection; after `accepted` the next request on the connection is answered; `last` is accepted and
 * ends the connection.
 */
import { TEST_TOKEN } from "./test-server.ts";

export interface FramingCase {
  name: string;
  outcome: "accepted" | "last" | "refused";
  bytes: string;
}

const HOST = "Host: service.example\r\n";
const FORM = "username_or_url=amara.petrovic";
const POST = `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}Authorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
const CHUNK = `${FORM.length.toString(16)}\r\n${FORM}\r\n`;

const get = (headers: string) => `GET /healthz HTTP/1.1\r\n${HOST}${headers}\r\n`;
const line = (text: string) => `${text}\r\n${HOST}\r\n`;
const sized = (header: string) => `${POST}${header}\r\n${FORM}`;
const chunked = (body: string, header = "Transfer-Encoding: chunked\r\n") => `${POST}${header}\r\n${body}`;

const of = (outcome: FramingCase["outcome"], cases: Record<string, string>): FramingCase[] =>
  Object.entries(cases).map(([name, bytes]) => ({ name, outcome, bytes }));

export const FRAMING_CASES: readonly FramingCase[] = [
  ...of("accepted", {
    "a plain request": get(""),
    "an absolute path with a query": line("GET /healthz?a=b HTTP/1.1"),
    // A server may take several blanks for one (RFC 9112, section 3).
    "two blanks before the path": line("GET  /healthz HTTP/1.1"),
    "two blanks before the version": line("GET /healthz  HTTP/1.1"),
    "a header in capitals": get("ACCEPT: */*\r\n"),
    "no blank after a colon": get("Accept:*/*\r\n"),
    "blanks around a value": get("Accept:   */*  \t \r\n"),
    "an empty value": get("X-Empty:\r\n"),
    "a value of a blank": get("X-Blank: \r\n"),
    "all characters of a header's name": get("!#$%&'*+-.^_`|~09azAZ: x\r\n"),
    "a value in Latin-1": get("X-Name: caf\xe9\r\n"),
    "a blank line before the request": `\r\n${get("")}`,
    "an empty host": "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n",
    "a host with a port": "GET /healthz HTTP/1.1\r\nHost: service.example:8080\r\n\r\n",
    "a host of IPv6": "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
    "a length": sized(`Content-Length: ${FORM.length}\r\n`),
    "a length with zeros before": sized(`Content-Length: 000${FORM.length}\r\n`),
    "a length with blanks around": sized(`Content-Length:   ${FORM.length}  \r\n`),
    "a length of 0": `${POST}Content-Length: 0\r\n\r\n`,
    "a length of 0 on GET": get("Content-Length: 0\r\n"),
    "a body on GET": `${get("Content-Length: 5\r\n")}hello`,
    chunks: chunked(`${CHUNK}0\r\n\r\n`),
    "chunks, spelt in capitals": chunked(`${CHUNK}0\r\n\r\n`, "TRANSFER-ENCODING: CHUNKED\r\n"),
    "two chunks": chunked(
      `3\r\n${FORM.slice(0, 3)}\r\n${(FORM.length - 3).toString(16)}\r\n${FORM.slice(3)}\r\n0\r\n\r\n`,
    ),
    "a size in capitals": chunked(`${CHUNK.replace(/^\w+/, (size) => size.toUpperCase())}0\r\n\r\n`),
    "a size with zeros before": chunked(`000${CHUNK}000\r\n\r\n`),
    "a chunk with an extension": chunked(`${CHUNK.replace("\r\n", ";name=value\r\n")}0\r\n\r\n`),
    "a chunk with a quoted extension": chunked(`${CHUNK.replace("\r\n", ';name="a;b"\r\n')}0\r\n\r\n`),
    "a trailer": chunked(`${CHUNK}0\r\nX-Trailer: x\r\n\r\n`),
    "chunks without a byte": chunked("0\r\n\r\n"),
    "chunks on GET": `${get("Transfer-Encoding: chunked\r\n")}5\r\nhello\r\n0\r\n\r\n`,
    HEAD: `HEAD /healthz HTTP/1.1\r\n${HOST}\r\n`,
    "an unknown path with a body": `POST /nowhere HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`,
    "a wrong method with a body": `PUT /healthz HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`,
    "a hundred headers": get(Array.from({ length: 99 }, (_, index) => `X-${index}: x\r\n`).join("")),
  }),
  ...of("last", {
    "HTTP/1.0": "GET /healthz HTTP/1.0\r\n\r\n",
    // Node's parser takes it for HTTP/1.0: nothing that follows can be misread.
    "another protocol of that version": line("GET /healthz RTSP/1.0"),
    "HTTP/1.0 with a host": `GET /healthz HTTP/1.0\r\n${HOST}\r\n`,
    "Connection: close": get("Connection: close\r\n"),
    "Connection: Close among others": get("Connection: X-A, Close\r\n"),
  }),
  ...of("refused", {
    // The request line.
    "no version": line("GET /healthz"),
    "HTTP/0.9": line("GET /healthz HTTP/0.9"),
    "HTTP/1.2": line("GET /healthz HTTP/1.2"),
    "HTTP/2.0": line("GET /healthz HTTP/2.0"),
    "HTTP/3.0": line("GET /healthz HTTP/3.0"),
    "HTTP/9.9": line("GET /healthz HTTP/9.9"),
    "HTTP/1": line("GET /healthz HTTP/1"),
    "HTTP/11": line("GET /healthz HTTP/11"),
    "HTTP/1.10": line("GET /healthz HTTP/1.10"),
    "HTTP/01.1": line("GET /healthz HTTP/01.1"),
    "a version with a comma": line("GET /healthz HTTP/1,1"),
    "a version with a sign": line("GET /healthz HTTP/+1.1"),
    "a version in small letters": line("GET /healthz http/1.1"),
    "a blank in the version": line("GET /healthz HTTP/ 1.1"),
    "a word after the version": line("GET /healthz HTTP/1.1 x"),
    "a method in small letters": line("get /healthz HTTP/1.1"),
    "an unknown method": line("BREW /healthz HTTP/1.1"),
    "a method with a NUL": line("G\0ET /healthz HTTP/1.1"),
    "a method with a colon": line("GET: /healthz HTTP/1.1"),
    "no method": line("/healthz HTTP/1.1"),
    "a blank before the method": line(" GET /healthz HTTP/1.1"),
    "a tab after the method": line("GET\t/healthz HTTP/1.1"),
    "a tab before the version": line("GET /healthz\tHTTP/1.1"),
    "a blank in the path": line("GET /health z HTTP/1.1"),
    "a NUL in the path": line("GET /healthz\0 HTTP/1.1"),
    "a control character in the path": line("GET /health\x01z HTTP/1.1"),
    "DEL in the path": line("GET /health\x7fz HTTP/1.1"),
    "a path without a slash": line("GET healthz HTTP/1.1"),
    "a carriage return in the request line": line("GET /healthz\rX HTTP/1.1"),
    TLS: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "HTTP/2's preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "no HTTP at all": "hello there\r\n\r\n",
    // Line ends.
    "LF at the end of the request line": `GET /healthz HTTP/1.1\n${HOST}\r\n`,
    "LF at the end of a header": `GET /healthz HTTP/1.1\r\nHost: service.example\n\r\n`,
    "LF at the end of the headers": `GET /healthz HTTP/1.1\r\nHost: service.example\r\n\n`,
    "LF everywhere": "GET /healthz HTTP/1.1\nHost: service.example\n\n",
    "CR at the end of the request line": `GET /healthz HTTP/1.1\r${HOST}\r\n`,
    "CR at the end of a header": "GET /healthz HTTP/1.1\r\nHost: service.example\rX: y\r\n\r\n",
    "two CR before LF": `GET /healthz HTTP/1.1\r\r\n${HOST}\r\n`,
    // Header lines.
    "a header without a colon": get("nonsense\r\n"),
    "a header without a name": get(": x\r\n"),
    "a blank before a colon": get("Accept : */*\r\n"),
    "a tab before a colon": get("Accept\t: */*\r\n"),
    "a blank within a name": get("X Name: x\r\n"),
    "a blank before the first header": `GET /healthz HTTP/1.1\r\n ${HOST}\r\n`,
    "a folded line": get("X-Folded: a\r\n b\r\n"),
    "a line folded with a tab": get("X-Folded: a\r\n\tb\r\n"),
    "a name with a slash": get("X/Name: x\r\n"),
    "a name with brackets": get("X(Name): x\r\n"),
    "a name with quotes": get('"X": x\r\n'),
    "a name with an umlaut": get("X-\xfc: x\r\n"),
    "a name with a NUL": get("X-\0: x\r\n"),
    "a NUL in a value": get("X-Name: a\0b\r\n"),
    "a control character in a value": get("X-Name: a\x01b\r\n"),
    "DEL in a value": get("X-Name: a\x7fb\r\n"),
    "a CR in a value": get("X-Name: a\rb\r\n"),
    "101 headers": get(Array.from({ length: 100 }, (_, index) => `X-${index}: x\r\n`).join("")),
    "headers of 17 KiB": get(`X-Long: ${"x".repeat(17 * 1024)}\r\n`),
    // Host.
    "no host": "GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": get("Host: other.example\r\n"),
    "the same host twice": get(HOST),
    "two hosts in one": "GET /healthz HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n",
    "a host with a path": "GET /healthz HTTP/1.1\r\nHost: service.example/path\r\n\r\n",
    "a host with a user": "GET /healthz HTTP/1.1\r\nHost: user@service.example\r\n\r\n",
    "a host with a blank": "GET /healthz HTTP/1.1\r\nHost: service example\r\n\r\n",
    "a host with a word for a port": "GET /healthz HTTP/1.1\r\nHost: service.example:http\r\n\r\n",
    "a host with a port of six digits": "GET /healthz HTTP/1.1\r\nHost: service.example:123456\r\n\r\n",
    "a host with an open bracket": "GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n",
    "a host with angle brackets": "GET /healthz HTTP/1.1\r\nHost: <script>\r\n\r\n",
    // Content-Length.
    "a length that is no number": sized("Content-Length: five\r\n"),
    "an empty length": sized("Content-Length:\r\n"),
    "a negative length": sized("Content-Length: -1\r\n"),
    "a length with a plus": sized(`Content-Length: +${FORM.length}\r\n`),
    "a length in hexadecimal": sized("Content-Length: 0x1e\r\n"),
    "a length with a point": sized(`Content-Length: ${FORM.length}.0\r\n`),
    "a length with an exponent": sized("Content-Length: 3e1\r\n"),
    "a length with a blank within": sized("Content-Length: 3 0\r\n"),
    "a length with a letter behind": sized(`Content-Length: ${FORM.length}x\r\n`),
    "a length beyond 64 bits": sized("Content-Length: 99999999999999999999\r\n"),
    "a list of different lengths": sized(`Content-Length: ${FORM.length}, 6\r\n`),
    "two different lengths": sized(`Content-Length: ${FORM.length}\r\nContent-Length: 6\r\n`),
    "the same length twice": sized(`Content-Length: ${FORM.length}\r\nContent-Length: ${FORM.length}\r\n`),
    "a length in other digits": sized("Content-Length: \xb2\xb3\r\n"),
    "a folded length": sized(`Content-Length:\r\n ${FORM.length}\r\n`),
    "a blank before the colon of a length": sized(`Content-Length : ${FORM.length}\r\n`),
    // Transfer-Encoding.
    "a length before chunks": chunked(`${CHUNK}0\r\n\r\n`, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
    "a length after chunks": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
    "an unknown coding": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: xchunked\r\n"),
    identity: chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: identity\r\n"),
    "gzip alone": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: gzip\r\n"),
    "chunked that is not last": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: chunked, identity\r\n"),
    "chunked and then gzip in two headers": chunked(
      `${CHUNK}0\r\n\r\n`,
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n",
    ),
    "chunked with a letter behind": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: chunkedx\r\n"),
    "chunked in quotes": chunked(`${CHUNK}0\r\n\r\n`, 'Transfer-Encoding: "chunked"\r\n'),
    "a blank before the colon of a coding": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding : chunked\r\n"),
    "a folded coding": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding:\r\n chunked\r\n"),
    "a coding with a control character": chunked(`${CHUNK}0\r\n\r\n`, "Transfer-Encoding: \x0bchunked\r\n"),
    // Chunks.
    "a chunk without a size": chunked(`\r\n${FORM}\r\n0\r\n\r\n`),
    "a size that is no number": chunked(`zz\r\n${FORM}\r\n0\r\n\r\n`),
    "a size with 0x": chunked(`0x${CHUNK}0\r\n\r\n`),
    "a negative size": chunked(`-1\r\n${FORM}\r\n0\r\n\r\n`),
    "a size with a plus": chunked(`+${CHUNK}0\r\n\r\n`),
    "a size beyond 64 bits": chunked(`11111111111111111\r\n${FORM}\r\n0\r\n\r\n`),
    "a blank before a size": chunked(` ${CHUNK}0\r\n\r\n`),
    "a blank after a size": chunked(`${CHUNK.replace("\r\n", " \r\n")}0\r\n\r\n`),
    "LF after a size": chunked(`${CHUNK.replace("\r\n", "\n")}0\r\n\r\n`),
    "CR after a size": chunked(`${CHUNK.replace("\r\n", "\r")}0\r\n\r\n`),
    "LF in an extension": chunked(`${CHUNK.replace("\r\n", ";a\nb\r\n")}0\r\n\r\n`),
    "a NUL in an extension": chunked(`${CHUNK.replace("\r\n", ";a\0b\r\n")}0\r\n\r\n`),
    "a chunk longer than its size": chunked(`3\r\n${FORM}\r\n0\r\n\r\n`),
    "a chunk without its end": chunked(`${CHUNK.slice(0, -2)}0\r\n\r\n`),
    "LF after a chunk": chunked(`${CHUNK.slice(0, -2)}\n0\r\n\r\n`),
    "a trailer that names a length": chunked(`${CHUNK}0\r\nContent-Length: 5\r\n\r\n`),
    "a trailer without a colon": chunked(`${CHUNK}0\r\nnonsense\r\n\r\n`),
    "a folded trailer": chunked(`${CHUNK}0\r\nX: a\r\n b\r\n\r\n`),
  }),
];
