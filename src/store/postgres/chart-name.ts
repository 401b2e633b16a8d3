/** A chart's one name; a country that holds a slash is told from the section after it. */
import type { PlatformName } from "#domain/record.ts";

export function chartName(platform: PlatformName, country: string, section: string): string {
  return `${platform}/${country.replaceAll("%", "%25").replaceAll("/", "%2F")}/${section}`;
}
