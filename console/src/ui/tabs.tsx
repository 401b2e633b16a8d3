/** Views of one page. Each has an address, so they are links and not only buttons. */
import { Link } from "@tanstack/react-router";

/** For links to other states of a page: the page says itself which one is current. */
export const OWN_CURRENT = { exact: true, explicitUndefined: true };

export interface Tab {
  id: string;
  label: string;
  count?: string;
}

export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, count }) => (
        <Link
          key={id}
          to="."
          search={{ tab: id === tabs[0]?.id ? undefined : id } as never}
          replace
          resetScroll={false}
          activeOptions={OWN_CURRENT}
          aria-current={id === current ? "page" : undefined}
          ref={id === current ? keepCentred : undefined}
        >
          {text}
          {count === undefined ? null : <small>{count}</small>}
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls the bar to its current tab, again when counts arrive and make tabs wider. */
function keepCentred(tab: HTMLElement | null): (() => void) | undefined {
  const bar = tab?.parentElement;
  if (tab == null || bar == null) return undefined;
  const observer = new ResizeObserver(() => {
    // Not scrollIntoView: it would scroll the page to its tabs too.
    const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()];
    bar.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  });
  for (const one of bar.children) observer.observe(one);
  return () => observer.disconnect();
}
