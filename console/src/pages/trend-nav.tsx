import { Link } from "@tanstack/react-router";

export function TrendNav() {
  return (
    <nav className="tabs" aria-label="Trends and charts">
      <Link to="/trends" activeOptions={{ exact: true, includeSearch: false }}>
        Computed trends
      </Link>
      <Link to="/trends/charts" activeOptions={{ includeSearch: false }}>
        Stored charts
      </Link>
    </nav>
  );
}
