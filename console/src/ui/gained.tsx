import { Count } from "./values.tsx";

/** A gain in a ranking, measured or estimated. */
export interface Gain {
  basis: "measured" | "estimated";
  basis_posts: number;
  views_gained: number;
}

/** An estimate is never shown as a fact. */
export function Gained({ gain: { basis, basis_posts: posts, views_gained: views } }: { gain: Gain }) {
  if (basis === "measured") return <Count value={views} />;
  return (
    <span className="gained">
      about <Count value={views} />
      <small className="muted">estimated from one capture{posts > 1 ? " each" : ""}</small>
    </span>
  );
}
