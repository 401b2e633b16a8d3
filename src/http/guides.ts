/** The guides of docs/ that are pages below /docs/, for a reader of the reference. In the order of the menu. */
export const GUIDES = {
  api: "Conventions",
  search: "Search",
  trends: "Trends",
  importing: "Importing",
  configuration: "Settings",
  operating: "Operating",
  admin: "Administration",
  errors: "Errors",
} as const;

export type GuideName = keyof typeof GUIDES;
export const GUIDE_NAMES = Object.keys(GUIDES).filter(isGuide);

export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(GUIDES, name);
}

/** Every problem's type links to the errors, at a path of their own. */
export function guidePath(name: GuideName): string {
  return name === "errors" ? "/docs/errors" : `/docs/guides/${name}`;
}
