/** A long list in the page's own scroll: only the rows on screen exist. Asks for more rows when its end comes into view. */
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Failed } from "./states.tsx";

interface VirtualRowsProps<Item> {
  items: readonly Item[];
  /** About how many pixels high a row is, before it is measured. */
  estimate: number;
  keyOf: (item: Item, index: number) => string;
  render: (item: Item, index: number) => ReactNode;
  label: string;
  /** The row to scroll to, when it changes. */
  scrollTo?: number | undefined;
  /** Of a list that is loaded page by page. */
  pager?: Pager;
}

interface Pager {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage(): unknown;
}

export function VirtualRows<Item>(props: VirtualRowsProps<Item>) {
  const { items, estimate, keyOf, render, label, scrollTo, pager } = props;
  const list = useRef<HTMLUListElement>(null);
  const top = useTopInPage(list);
  const hasMore = pager !== undefined && pager.hasNextPage;
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimate,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  // The next page would cancel a refetch of the others. After a failure the person decides: a page that fails would be
  // asked for again and again.
  const shallLoad = hasMore && last >= items.length - 5 && !pager.isFetching && !pager.isFetchNextPageError;
  useEffect(() => {
    if (shallLoad) void pager?.fetchNextPage();
  }, [shallLoad, pager]);
  useEffect(() => {
    if (scrollTo !== undefined && scrollTo >= 0) virtualizer.scrollToIndex(scrollTo, { align: "center" });
    // Only a new target scrolls; the virtualizer is another object at every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [scrollTo]);

  return (
    <>
      <ul className="rows" ref={list} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <li
              key={row.key}
              data-index={row.index}
              ref={virtualizer.measureElement}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start - top}px)` }}
            >
              {render(item, row.index)}
            </li>
          );
        })}
      </ul>
      {pager?.isFetchNextPageError === true ? (
        <Failed error={pager.error} retry={() => void pager.fetchNextPage()} />
      ) : null}
    </>
  );
}

/** How far below the top of the page the list begins; what stands above it may grow while it loads. */
function useTopInPage(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect();
      if (box !== undefined) setTop(Math.round(box.top + scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
