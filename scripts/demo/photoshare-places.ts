/** Two invented places in every city. */
import type { Place } from "#domain/place.ts";
import type { NativePlace } from "../../src/platforms/photoshare/native.ts";
import { CITIES, type City } from "./cities.ts";
import { numericId } from "./identifiers.ts";
import type { Random } from "./random.ts";
import { SOURCE } from "./scenario.ts";

export interface PlaceInCity {
  city: City;
  place: Place<NativePlace>;
}

export function createPlaces(random: Random, capturedAt: number): PlaceInCity[] {
  return CITIES.flatMap((city) =>
    city.places.map((name): PlaceInCity => {
      const place: Place<NativePlace> = {
        id: numericId(random, 15),
        name,
        latitude: nearby(random, city.latitude),
        longitude: nearby(random, city.longitude),
        address: random.chance(0.8) ? `${name} ${random.integer(1, 90)}` : null,
        city: city.local,
        counters: {},
        native: { title: name, subtitle: `${city.local}, ${city.country}` },
        capturedAt,
        source: SOURCE,
      };
      return { city, place };
    }),
  );
}

/** The platform's own counts are many times the number of demo posts. */
export function assignPlaceCounts(
  random: Random,
  places: readonly PlaceInCity[],
  posts: readonly { placeId: string | null }[],
): void {
  const visits = new Map<string, number>();
  for (const { placeId } of posts) if (placeId !== null) visits.set(placeId, (visits.get(placeId) ?? 0) + 1);
  for (const { place } of places) {
    place.counters = { posts: Math.round((visits.get(place.id) ?? 1) * random.between(15, 300)) };
  }
}

/** Within a few kilometres of the city centre. */
function nearby(random: Random, degrees: number): number {
  return Math.round((degrees + random.between(-0.04, 0.04)) * 1e5) / 1e5;
}
