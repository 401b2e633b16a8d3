/** A self-signed certificate for tests over TLS: created at need, so that no private key is in the repository. */
import { generateKeyPairSync, sign } from "node:crypto";
import { DAY_MS } from "#domain/time.ts";

export interface Certificate {
  /** PEM; also what a client must trust. */
  cert: string;
  key: string;
}

const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const BASIC_CONSTRAINTS = Buffer.from("0603551d13", "hex");
const SUBJECT_ALT_NAME = Buffer.from("0603551d11", "hex");

/** Tag, length and content (DER). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);

function name(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, "");
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

export function createCertificate(hosts: readonly string[], now = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const subject = name("triptych tests");
  const isAuthority = sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, Buffer.from([0xff])))));
  const hostNames = sequence(...hosts.map((host) => der(0x82, Buffer.from(host))));
  const extensions = sequence(isAuthority, sequence(SUBJECT_ALT_NAME, der(0x04, hostNames)));
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(time(now - DAY_MS), time(now + 30 * DAY_MS)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", certificate, privateKey);
  const signed = sequence(certificate, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${signed.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
