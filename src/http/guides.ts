/** The guides of docs/ as pages below /docs/, for a reader of the reference. */
import { readPackageFile } from "./package-files.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderPage } from "./page.ts";

/** In the order of the menu. */
export const GUIDES = {
  api: "Conventions",
  search: "Search",
  trends: "Trends",
  importing: "Importing",
  configuration: "Settings",
  operating: "Operating",
  admin: "Administration",
} as const;

export type GuideName = keyof typeof GUIDES;
export const GUIDE_NAMES = Object.keys(GUIDES) as GuideName[];

export function guidePath(name: GuideName): string {
  return `/docs/guides/${name}`;
}

export async function renderGuide(name: GuideName): Promise<string> {
  const markdown = await readPackageFile(`docs/${name}.md`);
  return renderPage(GUIDES[name], renderMarkdown(markdown, resolveLink));
}

/** Other guides are pages here, operations are in the reference; files of the repository are not served. */
function resolveLink(target: string): string | null {
  if (/^(?:https?:|#)/.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const name = /^([\w-]+)\.md$/.exec(path)?.[1] ?? "";
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  if (name === "errors") return `/docs/errors${suffix}`;
  if (Object.hasOwn(GUIDES, name)) return `${guidePath(name as GuideName)}${suffix}`;
  return path.startsWith("endpoints/") ? "/docs/" : null;
}
