import { Link } from "@tanstack/react-router";
import { Page } from "./page.tsx";
import { Empty } from "../ui/states.tsx";

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty icon="search" title="There is no such page">
        <p>
          <Link to="/explore">Search</Link> for what you were looking for, or go <Link to="/">home</Link>.
        </p>
      </Empty>
    </Page>
  );
}
