/** A place: in a post, in a search answer, or above the list of posts made there. */
import type { Collector } from "#contract/importer.ts";
import type { Counters } from "#domain/record.ts";
import type { NativePlace } from "../native.ts";
import { objectInText } from "./captured-user.ts";
import { countOf, idOf, type JsonObject, known, numberOf, objectOf, wordOf } from "./field-readers.ts";

export interface CapturedPlace {
  id: string;
  name: string;
  latitude?: number | undefined;
  longitude?: number | undefined;
  address?: string | undefined;
  city?: string | undefined;
  counters: Counters;
  native: NativePlace;
}

/** Undefined without an id or a name: neither can be made up. */
export function readPlace(value: unknown): CapturedPlace | undefined {
  const place = objectOf(value);
  if (place === undefined) return undefined;
  const id = idOf(place["pk"]) ?? idOf(place["id"]) ?? idOf(place["location_id"]);
  const name = wordOf(place["name"]);
  if (id === undefined || name === undefined) return undefined;
  const written = objectInText(place["address_json"]) ?? {};
  return {
    id,
    name,
    ...coordinatesOf(place),
    address:
      wordOf(place["address"]) ?? wordOf(place["location_address"]) ?? wordOf(written["street_address"]) ?? undefined,
    city: cityOf(place, written),
    counters:
      known({
        posts: countOf(place["media_count"]) ?? countOf(objectOf(place["edge_location_to_media"])?.["count"]),
      }) ?? {},
    native: {},
  };
}

/** The form of a search answer: the place with a title and a subtitle around it. */
export function readTitledPlace(value: unknown): CapturedPlace | undefined {
  const titled = objectOf(value);
  const place = readPlace(titled?.["location"]);
  if (titled === undefined || place === undefined) return undefined;
  const native = known({ title: wordOf(titled["title"]), subtitle: wordOf(titled["subtitle"]) });
  return { ...place, native: native ?? {} };
}

export function collectPlace(place: CapturedPlace, collect: Collector): string {
  collect.place(place);
  return place.id;
}

function cityOf(place: JsonObject, written: JsonObject): string | undefined {
  const directory = objectOf(objectOf(place["directory"])?.["city"]);
  const city =
    wordOf(place["city"]) ??
    wordOf(place["location_city"]) ??
    wordOf(written["city_name"]) ??
    wordOf(directory?.["name"]);
  return city?.split(",")[0];
}

/** Both or neither, and on this planet. The platform writes 0, 0 for places whose position it does not know. */
function coordinatesOf(place: JsonObject): { latitude?: number; longitude?: number } {
  const latitude = numberOf(place["lat"]);
  const longitude = numberOf(place["lng"]);
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return {};
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : {};
}
