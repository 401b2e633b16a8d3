/** Line icons on a grid of 24, drawn for this console. They are decoration: a label stands beside each. */

const PATHS = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5",
  trend: "M4 17l5-6 4 3 7-9M15 5h5v5",
  chart: "M5 20V10M12 20V4M19 20v-7",
  data: "M12 4c4.4 0 8 1.1 8 2.5S16.4 9 12 9 4 7.900 4 6.500 7.600 4 12 4zM4 6.500v11C4 18.900 7.600 20 12 20s8-1.100 8-2.500v-11M4 12c0 1.400 3.600 2.500 8 2.500s8-1.100 8-2.500",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14",
  key: "M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12.500L20 4M16 8l3 3",
  eye: "M2 12s3.600-6.500 10-6.500S22 12 22 12s-3.600 6.500-10 6.500S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  heart: "M12 20S4 15 4 9.500A4.300 4.300 0 0 1 12 7a4.300 4.300 0 0 1 8 2.500C20 15 12 20 12 20z",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  share: "M4 12v7h16v-7M12 15V4M8 8l4-4 4 4",
  bookmark: "M6 4h12v16l-6-4.500L6 20z",
  people:
    "M9 5a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 5.500a3.200 3.200 0 0 1 0 6.200M18 14.500c2 .7 3.200 2.500 3.500 5.500",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  dot: "M12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  sound:
    "M9 18V6l10-2v12M6.500 15.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM16.500 13.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
  hash: "M9 4L7 20M17 4l-2 16M4 9h17M3 15h17",
  place: "M12 21s-7-6-7-11a7 7 0 1 1 14 0c0 5-7 11-7 11zM12 7.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.500 20.500c.6-4.500 3.500-6.500 7.500-6.500s6.900 2 7.500 6.500",
  film: "M4 5h16v14H4zM10 9.500v5l4.500-2.500z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15.500 8a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
  quote: "M5 8h14M5 12h14M5 16h8",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.500l5 5L20 7",
  upload: "M12 16V4M7 9l5-5 5 5M4 17v3h16v-3",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.500l3 2",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17.300v.2",
  verified:
    "M12 3l2.500 2 3.200-.3.800 3.100 2.600 1.900L20 12.600l1 3-2.700 1.700-1 3.100-3.200-.1L12 22l-2.100-1.700-3.200.1-1-3.100L3 15.600l1-2.900-1.100-3 2.600-1.900.8-3.100 3.200.3zM8.500 12.500l2.500 2.500 4.500-5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Three panels, one for each platform. */
export function Brand() {
  return (
    <svg className="brand-mark" viewBox="0 0 26 22" aria-hidden="true" focusable="false">
      <rect className="panel-1" x="1" y="3" width="7" height="16" rx="1.500" />
      <rect className="panel-2" x="9.500" y="0" width="7" height="22" rx="1.500" />
      <rect className="panel-3" x="18" y="3" width="7" height="16" rx="1.500" />
    </svg>
  );
}
