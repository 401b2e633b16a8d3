/**
 * The pictures of demo data: `/media/<subject>/<id>/<width>x<height>.svg`. They are drawn from the URL alone, so they need
 * no store, no token and no network, and never change.
 */
import type { FastifyInstance } from "fastify";
import { fnv1a } from "#domain/fnv1a.ts";
import { ApiError } from "#errors";
import { queryOf } from "./request-parts.ts";
import { PUBLIC } from "./route-access.ts";

const SIZE = /^(\d{2,4})x(\d{2,4})\.svg$/;
const NAME = /^[\w-]{1,64}$/;
const MAX_SIDE = 2_160;
const MAX_TEXT = 4;

const HEADERS = {
  "content-type": "image/svg+xml; charset=utf-8",
  "cache-control": "public, max-age=31536000, immutable",
  // A picture that is opened as a page runs no script.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

interface PictureParameters {
  subject: string;
  id: string;
  size: string;
}

export function registerPictures(app: FastifyInstance): void {
  app.get<{ Params: PictureParameters }>("/media/:subject/:id/:size", { config: PUBLIC }, async (request, reply) => {
    const { subject, id, size } = request.params;
    const { text } = queryOf(request);
    const [width, height] = (SIZE.exec(size) ?? []).slice(1).map(Number);
    const isDrawn = NAME.test(subject) && NAME.test(id) && isSide(width) && isSide(height);
    if (!isDrawn) {
      throw new ApiError(
        "unknown_path",
        `no such picture; pictures are at /media/<subject>/<id>/<width>x<height>.svg, with sides of 16 to ${MAX_SIDE}`,
      );
    }
    return reply.headers(HEADERS).send(drawPicture(subject, id, width, height, typeof text === "string" ? text : null));
  });
}

function isSide(side: number | undefined): side is number {
  return side !== undefined && side >= 16 && side <= MAX_SIDE;
}

/** An avatar with letters, the rings of a record, or a landscape whose colours are those of the subject. */
function drawPicture(subject: string, id: string, width: number, height: number, text: string | null): string {
  const next = numbersFrom(`${subject}/${id}`);
  const hue = (fnv1a(subject) % 360) + next(60);
  const body =
    subject === "avatar"
      ? drawAvatar(hue + next(300), width, height, text)
      : subject === "sound"
        ? drawRings(hue + next(300), width, height)
        : drawLandscape(hue, width, height, next);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
}

function drawAvatar(hue: number, width: number, height: number, text: string | null): string {
  const letters = escapeXml(
    Array.from(text ?? "")
      .slice(0, MAX_TEXT)
      .join(""),
  );
  return `<rect width="100%" height="100%" fill="hsl(${hue} 45% 42%)"/><text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="${Math.round(Math.min(width, height) * 0.42)}" fill="hsl(${hue} 60% 92%)">${letters}</text>`;
}

function drawRings(hue: number, width: number, height: number): string {
  const radius = Math.min(width, height) / 2;
  const rings = [0.9, 0.72, 0.54, 0.36].map(
    (share, index) =>
      `<circle cx="50%" cy="50%" r="${Math.round(radius * share)}" fill="hsl(${hue + index * 12} 40% ${18 + index * 9}%)"/>`,
  );
  return `<rect width="100%" height="100%" fill="hsl(${hue} 50% 80%)"/>${rings.join("")}<circle cx="50%" cy="50%" r="${Math.round(radius * 0.06)}" fill="hsl(${hue} 50% 92%)"/>`;
}

/** Sky, sun and three ranges of hills, the nearest darkest. */
function drawLandscape(hue: number, width: number, height: number, next: (limit: number) => number): string {
  const sun = `<circle cx="${Math.round((width * (20 + next(60))) / 100)}" cy="${Math.round((height * (18 + next(25))) / 100)}" r="${Math.round(Math.min(width, height) * 0.09)}" fill="hsl(${(hue + 40) % 360} 90% 86%)"/>`;
  const hills = [0, 1, 2].map((range) => {
    const top = (at: number) => Math.round((height * (45 + range * 16 + at)) / 100);
    const [left, middle, right] = [top(next(12)), top(next(20) - 14), top(next(12))];
    return `<path d="M0 ${left}Q${Math.round(width / 2)} ${middle} ${width} ${right}V${height}H0Z" fill="hsl(${hue + range * 14} 38% ${58 - range * 17}%)"/>`;
  });
  return `<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue} 62% 68%)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360} 80% 88%)"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#s)"/>${sun}${hills.join("")}`;
}

/** Numbers below a limit, the same for the same seed. */
function numbersFrom(seed: string): (limit: number) => number {
  let count = 0;
  return (limit) => fnv1a(`${count++} ${seed}`) % limit;
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"'\p{Cc}]/gu, (character) => `&#${character.codePointAt(0)};`);
}
