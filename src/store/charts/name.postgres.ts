/** A chart's name in one column. Slashes in the country are escaped, so that the name can be parsed. */
import type { PlatformName } from "#domain/record.ts";

export function chartName(platform: PlatformName, country: string, section: string): string {
  return `${platform}/${country.replaceAll("%", "%25").replaceAll("/", "%2F")}/${section}`;
}

export function parseChartName(platform: PlatformName, name: string): { country: string; section: string } {
  const rest = name.slice(platform.length + 1);
  const slash = rest.indexOf("/");
  const country = rest.slice(0, slash).replaceAll("%2F", "/").replaceAll("%25", "%");
  return { country, section: rest.slice(slash + 1) };
}
