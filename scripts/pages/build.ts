/**
 * Builds the pages below /docs/ into dist/pages: guides, the list of errors, and the API reference with its scripts. With the
 * name of a page it prints that one, for the service of a clone.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { GUIDE_NAMES, type GuideName, guidePath, GUIDES, isGuide } from "#http/guides.ts";
import { renderPage } from "#http/page.ts";
import { renderMarkdown } from "./markdown.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "dist/pages");

const PAGES: Record<string, () => Promise<Uint8Array | string>> = {
  "reference.html": () => readBeside("reference.html"),
  "start.js": () => readBeside("start.js"),
  "scalar.js": readScalar,
  ...Object.fromEntries(GUIDE_NAMES.map((name) => [`${name}.html`, async () => renderGuide(name)])),
};

if (import.meta.main) {
  const [name] = process.argv.slice(2);
  if (name === undefined) await buildPages();
  else if (PAGES[name] === undefined) throw new Error(`no page is called ${name}`);
  else process.stdout.write(await PAGES[name]());
}

export async function buildPages(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, render] of Object.entries(PAGES)) writeFileSync(join(FOLDER, name), await render());
}

async function readBeside(name: string): Promise<Uint8Array> {
  return readFileSync(join(import.meta.dirname, name));
}

function renderGuide(name: GuideName): string {
  return renderPage(GUIDES[name], renderMarkdown(readFileSync(join(ROOT, `docs/${name}.md`), "utf8"), resolveLink));
}

/** Other guides are pages here, operations are in the reference; files of the repository are not served. */
function resolveLink(target: string): string | null {
  if (/^(?:https?:|#)/.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const name = /^([\w-]+)\.md$/.exec(path)?.[1] ?? "";
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  if (isGuide(name)) return `${guidePath(name)}${suffix}`;
  return path.startsWith("endpoints/") ? "/docs/" : null;
}

/** The package has the script of the reference only as a route. */
async function readScalar(): Promise<Uint8Array> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import("fastify"),
    import("@scalar/fastify-api-reference"),
  ]);
  const app = fastify();
  await app.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
  const { statusCode, rawPayload } = await app.inject("/docs/js/scalar.js");
  if (statusCode !== 200) throw new Error(`the reference package responded with ${statusCode} for its script`);
  return rawPayload;
}
