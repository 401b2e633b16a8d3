/** A place: in a post, in a search result, or above the list of its posts. */
import type { Collector } from "#api/importer.ts";
import type { Counters, Margins } from "#domain/record.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readId,
  readNumber,
  readObject,
} from "#import/capture/field-readers.ts";
import type { NativePlace } from "../native.ts";
import { parseJsonObject } from "./captured-user.ts";

export interface CapturedPlace {
  id: string;
  name: string;
  latitude?: number | undefined;
  longitude?: number | undefined;
  address?: string | undefined;
  city?: string | undefined;
  counters?: Counters | undefined;
  native?: NativePlace | undefined;
  approximate?: Margins | undefined;
}

/** Undefined without an id or a name. */
export function readPlace(value: unknown): CapturedPlace | undefined {
  const place = readObject(value);
  if (place === undefined) return undefined;
  const id = readId(place["pk"]) ?? readId(place["id"]) ?? readId(place["location_id"]);
  const name = readFilledText(place["name"]);
  if (id === undefined || name === undefined) return undefined;
  const address = parseJsonObject(place["address_json"]) ?? {};
  return {
    id,
    name,
    ...readCoordinates(place),
    address:
      readFilledText(place["address"]) ??
      readFilledText(place["location_address"]) ??
      readFilledText(address["street_address"]),
    city: readCity(place, address),
    counters: omitUnknown({
      posts: readCount(place["media_count"]) ?? readCount(readObject(place["edge_location_to_media"])?.["count"]),
    }),
  };
}

/** As in search results: the place wrapped in a title and a subtitle. */
export function readTitledPlace(value: unknown): CapturedPlace | undefined {
  const titled = readObject(value);
  const place = readPlace(titled?.["location"]);
  if (titled === undefined || place === undefined) return undefined;
  const native = omitUnknown({ title: readFilledText(titled["title"]), subtitle: readFilledText(titled["subtitle"]) });
  return { ...place, native };
}

export function collectPlace(place: CapturedPlace, collect: Collector): string {
  collect.place(place);
  return place.id;
}

function readCity(place: Fields, address: Fields): string | undefined {
  const directory = readObject(readObject(place["directory"])?.["city"]);
  const city =
    readFilledText(place["city"]) ??
    readFilledText(place["location_city"]) ??
    readFilledText(address["city_name"]) ??
    readFilledText(directory?.["name"]);
  return city?.split(",")[0];
}

/** Both or neither, and in range. Instagram writes 0, 0 where it does not know the position. */
function readCoordinates(place: Fields): { latitude?: number; longitude?: number } {
  const latitude = readNumber(place["lat"]);
  const longitude = readNumber(place["lng"]);
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return {};
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : {};
}
