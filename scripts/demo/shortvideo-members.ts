/** People on the short-video platform: as embedded in posts, and as full accounts. */
import type { Account } from "#domain/account.ts";
import { DAY_S } from "#domain/time.ts";
import type { NativeUser } from "../../src/platforms/shortvideo/native.ts";
import { base64Id, initials, timestampId } from "./identifiers.ts";
import type { Creator, Person } from "./people.ts";
import { SOURCE, type Scenario } from "./scenario.ts";
import type { AuthorTotals } from "./totals.ts";

export interface Member extends Person {
  id: string;
  bio: string;
  verified: boolean;
  joinedAgo: number;
  /** Median number of followers of people like this. */
  fame: number;
  native: NativeUser;
}

export function createMember(
  { random, hour, pictureUrl }: Scenario,
  person: Person,
  bio: string,
  verified: boolean,
  fame: number,
): Member {
  const joinedAgo = random.integer(450, 2_200) * DAY_S;
  const id = timestampId(random, hour - joinedAgo);
  const avatar = (size: number) => pictureUrl("avatar", id, size, size, initials(person.displayName));
  const native: NativeUser = {
    id,
    uniqueId: person.name,
    nickname: person.displayName,
    avatarLarger: avatar(1080),
    avatarMedium: avatar(720),
    avatarThumb: avatar(100),
    signature: bio,
    verified,
    secUid: `MS4wLjABAAAA${base64Id(random, 43)}`,
  };
  return { ...person, id, bio, verified, joinedAgo, fame, native };
}

export function createAccount(
  scenario: Scenario,
  member: Member,
  totals: AuthorTotals | undefined,
  creator: Creator | undefined,
): Account<NativeUser> {
  const { random, hour, capturedAt } = scenario;
  const followers = Math.floor(random.logNormal(member.fame, 0.9));
  const following = random.integer(8, 900);
  const renamed = hour - random.integer(20, 400) * DAY_S;
  return {
    id: member.id,
    name: member.name,
    displayName: member.displayName,
    bio: member.bio,
    verified: member.verified,
    private: creator === undefined && random.chance(0.1),
    createdAt: hour - member.joinedAgo,
    language: member.language,
    country: member.city.country,
    counters: {
      followers,
      following,
      posts: (totals?.posts ?? 0) + random.integer(0, 12),
      likes: (totals?.likes ?? 0) + random.integer(0, 4_000),
      friends: Math.floor(Math.min(followers, following) * 0.3),
    },
    native: {
      ...member.native,
      shortId: "",
      ftc: false,
      relation: 0,
      openFavorite: random.chance(0.3),
      ...(creator !== undefined && random.chance(0.6) ? { bioLink: { link: `${member.name}.example`, risk: 0 } } : {}),
      commentSetting: 0,
      commerceUserInfo: { commerceUser: random.chance(0.1) },
      duetSetting: 0,
      stitchSetting: 0,
      secret: false,
      isADVirtual: false,
      roomId: "",
      uniqueIdModifyTime: renamed,
      ttSeller: false,
      downloadSetting: 0,
      profileTab: { showMusicTab: false, showQuestionTab: random.chance(0.1), showPlayListTab: random.chance(0.2) },
      followingVisibility: 1,
      nickNameModifyTime: renamed,
      isEmbedBanned: false,
      canExpPlaylist: creator !== undefined,
      profileEmbedPermission: 1,
      suggestAccountBind: false,
      isOrganization: 0,
      UserStoryStatus: 0,
    },
    capturedAt,
    source: SOURCE,
  };
}
