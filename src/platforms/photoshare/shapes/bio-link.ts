/** A profile link: short in get-bio-links, in full in get-profile-v2. */
import type { Static } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { hideContactLink, hideContacts } from "#domain/contacts.ts";
import { Flag, NullableText, Text, Url, wireObject } from "#api/wire.ts";
import type { NativeBioLink, NativeUser } from "../native.ts";

export const BioLink = wireObject({ link_type: Text, lynx_url: Url, title: Text, url: Url });
export type BioLink = Static<typeof BioLink>;

export const FullBioLink = wireObject({
  image_url: NullableText,
  is_pinned: Flag,
  link_type: Text,
  lynx_url: Url,
  media_accent_color_hex: NullableText,
  media_type: NullableText,
  title: Text,
  url: Url,
  creation_source: NullableText,
});
export type FullBioLink = Static<typeof FullBioLink>;

/** Without `personal`, a link that is a contact is empty. */
export function toBioLink(link: NativeBioLink, personal: boolean): NonNullable<Nullable<BioLink>> {
  const { title = null } = link;
  return {
    link_type: link.link_type ?? null,
    lynx_url: showLink(link.lynx_url, personal),
    title: title === null || personal ? title : hideContacts(title),
    url: showLink(link.url, personal),
  };
}

export function showLink(link: string | undefined, personal: boolean): string | null {
  if (link === undefined) return null;
  return personal ? link : hideContactLink(link);
}

export function toFullBioLink(link: NativeBioLink, personal: boolean): Nullable<FullBioLink> {
  return {
    ...toBioLink(link, personal),
    image_url: link.image_url ?? null,
    is_pinned: link.is_pinned ?? null,
    media_accent_color_hex: link.media_accent_color_hex ?? null,
    media_type: link.media_type ?? null,
    creation_source: link.creation_source ?? null,
  };
}

/** Null if unknown. Older captures have one external URL instead of a list. */
export function listBioLinks(native: NativeUser): NativeBioLink[] | null {
  if (native.bio_links !== undefined) return native.bio_links;
  if (!native.external_url) return null;
  return [
    {
      link_type: "external",
      url: native.external_url,
      ...(native.external_lynx_url === undefined ? {} : { lynx_url: native.external_lynx_url }),
    },
  ];
}
