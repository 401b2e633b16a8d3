/**
 * Pictures and videos. Those of the demo come from the service. Those of the platforms are loaded only if the person has
 * switched them on; their links expire, and then the same calm placeholder stands there.
 */
import { useState, useSyncExternalStore } from "react";
import { Icon, type IconName } from "./icons.tsx";

/** Drawn by this service, whatever address it had when the demo was made. */
const OWN_PICTURE = /^\/media\/[\w-]{1,64}\/[\w-]{1,64}\/\d{2,4}x\d{2,4}\.svg$/;

const COOKIE = "triptych_media";
const YEAR_S = 31_536_000;

export function isMediaAllowed(): boolean {
  return document.cookie.split("; ").includes(`${COOKIE}=on`);
}

/** The page's policy comes with the page, so the switch reloads the page. */
export function allowMedia(isAllowed: boolean): void {
  document.cookie = `${COOKIE}=on; path=/; SameSite=Strict; max-age=${isAllowed ? YEAR_S : 0}`;
  location.reload();
}

/** Where to load it from; null if it is not to be loaded. */
export function mediaUrl(url: string | null | undefined): string | null {
  const parsed = url == null ? null : URL.parse(url, location.origin);
  if (parsed === null) return null;
  if (OWN_PICTURE.test(parsed.pathname)) return parsed.pathname + parsed.search;
  return parsed.protocol === "https:" && isMediaAllowed() ? parsed.href : null;
}

interface PictureProps {
  url: string | null | undefined;
  /** Empty if the words beside it say the same. */
  alt?: string;
  shape: "portrait" | "landscape" | "square" | "round";
  platform?: string;
  icon?: IconName;
  /** Stands in for a person's picture. */
  initials?: string;
}

export function Picture({ url, alt = "", shape, platform, icon = "image", initials }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const source = mediaUrl(url);
  const isShown = source !== null && failed !== source;
  return (
    <span className="picture" data-shape={shape} data-platform={platform}>
      {isShown ? (
        <img
          src={source}
          alt={alt}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(source)}
        />
      ) : initials === undefined ? (
        <Icon name={icon} />
      ) : (
        <span className="initials" aria-hidden="true">
          {initials}
        </span>
      )}
    </span>
  );
}

export function initialsOf(name: string | null | undefined): string {
  const words = (name ?? "").split(/[\s._-]+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => (Array.from(word)[0] ?? "").toUpperCase())
    .join("");
}

export function Avatar({ url, name, platform }: { url?: string | null; name: string | null; platform: string }) {
  return <Picture url={url} shape="round" platform={platform} initials={initialsOf(name) || "?"} />;
}

const subscribe = () => () => undefined;

export function MediaSwitch() {
  const isAllowed = useSyncExternalStore(subscribe, isMediaAllowed);
  return (
    <label
      className="switch"
      title="Pictures and videos are then loaded from the platforms' servers, which see your address."
    >
      <input type="checkbox" checked={isAllowed} onChange={() => allowMedia(!isAllowed)} />
      <span>Platform media</span>
    </label>
  );
}
