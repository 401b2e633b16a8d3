/** Views of one page. Each has an address, so they are links and not only buttons. */
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** For links to other states of a page: the page says itself which one is current. */
export const OWN_CURRENT = { exact: true, explicitUndefined: true };

export interface Tab {
  id: string;
  label: string;
  count?: string;
}

export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  const list = useRef<HTMLElement>(null);
  // They arrive later, and make the bar wider.
  const counts = tabs.map(({ count }) => count).join(" ");
  useEffect(() => {
    // Not scrollIntoView: it would scroll the page to its tabs too.
    const bar = list.current;
    const tab = bar?.querySelector<HTMLElement>("[aria-current]");
    if (bar == null || tab == null) return;
    const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()];
    bar.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [current, counts]);
  return (
    <nav className="tabs" aria-label={label} ref={list}>
      {tabs.map(({ id, label: text, count }) => (
        <Link
          key={id}
          to="."
          search={{ tab: id === tabs[0]?.id ? undefined : id } as never}
          replace
          resetScroll={false}
          activeOptions={OWN_CURRENT}
          aria-current={id === current ? "page" : undefined}
        >
          {text}
          {count === undefined ? null : <small>{count}</small>}
        </Link>
      ))}
    </nav>
  );
}
