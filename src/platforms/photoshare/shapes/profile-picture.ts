/** The two sizes of a profile picture; each falls back to the other. */
import type { NativeUser } from "../native.ts";

export function getPicture(native: NativeUser): string | null {
  return native.profile_pic_url ?? native.hd_profile_pic_url_info?.url ?? null;
}

export function getLargePicture(native: NativeUser): string | null {
  return native.hd_profile_pic_url_info?.url ?? native.profile_pic_url ?? null;
}
