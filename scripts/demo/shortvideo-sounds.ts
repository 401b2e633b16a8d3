/** The sounds of short videos: a few are used very often, most rarely. */
import type { Sound } from "#domain/sound.ts";
import { DAY_S } from "#domain/time.ts";
import type { NativeSound, NativeUser } from "../../src/platforms/shortvideo/native.ts";
import { fileUrl, timestampId } from "./identifiers.ts";
import { at, type Random } from "./random.ts";
import { SOURCE, type Scenario } from "./scenario.ts";

const FEATURED_SOUND = "7100000000000000001";

const SOUNDS = 96;

const FIRST_WORDS = [
  "Paper",
  "Slow",
  "Salt",
  "Copper",
  "Midnight",
  "Velvet",
  "Borrowed",
  "Northern",
  "Quiet",
  "Tangerine",
  "Glass",
  "Sunday",
];
const SECOND_WORDS = [
  "Lanterns",
  "Tram",
  "Window",
  "Harbour",
  "Satellite",
  "Orchard",
  "Umbrella",
  "Staircase",
  "Fireflies",
  "Telegram",
];

export interface Artist {
  id: string;
  displayName: string;
  native: NativeUser;
}

/** Every fifth is a creator's original sound; some songs' artists have no account. */
export function createSounds(
  { random, hour, capturedAt, pictureUrl }: Scenario,
  artists: readonly Artist[],
  creators: readonly Artist[],
): Sound<NativeSound>[] {
  const titles = random.sample(
    FIRST_WORDS.flatMap((first) => SECOND_WORDS.map((second) => `${first} ${second}`)),
    SOUNDS,
  );
  return titles.map((song, index) => {
    const original = index % 5 === 4;
    const artist = original ? random.pick(creators) : at(artists, index % artists.length);
    const hasAccount = original || index % 11 !== 7;
    const id = index === 0 ? FEATURED_SOUND : timestampId(random, hour - random.integer(400, 1_200) * DAY_S);
    const title = original ? `original sound - ${artist.displayName}` : song;
    const durationS = original ? random.integer(9, 60) : random.integer(30, 215);
    const native: NativeSound = {
      id,
      title,
      authorName: artist.displayName,
      album: original ? "" : `${at(song.split(" "), 0)} Season`,
      duration: durationS,
      coverLarge: pictureUrl("sound", id, 720, 720),
      coverMedium: pictureUrl("sound", id, 200, 200),
      coverThumb: pictureUrl("sound", id, 100, 100),
      playUrl: fileUrl("shortvideo", "sounds", id, "play.mp3"),
      original,
      private: false,
      isCopyrighted: !original,
    };
    if (hasAccount) native.artist = artist.native;
    const artistId = hasAccount ? artist.id : null;
    return {
      id,
      title,
      artistName: artist.displayName,
      artistId,
      durationS,
      counters: {},
      native,
      capturedAt,
      source: SOURCE,
    };
  });
}

/** Every sixth post uses the featured sound; the others favour the first sounds. */
export function pickSound(random: Random, sounds: readonly Sound<NativeSound>[], post: number): Sound<NativeSound> {
  return post % 6 === 0 ? at(sounds, 0) : random.pickEarly(sounds, 2.6);
}

/** The platform's own counts are some hundred times the number of demo posts. */
export function assignSoundCounts(
  random: Random,
  sounds: readonly Sound[],
  posts: readonly { soundId: string | null }[],
): void {
  const uses = new Map<string, number>();
  for (const { soundId } of posts) if (soundId !== null) uses.set(soundId, (uses.get(soundId) ?? 0) + 1);
  for (const sound of sounds) {
    sound.counters = { posts: Math.round((uses.get(sound.id) ?? 1) * random.between(40, 700)) };
  }
}
