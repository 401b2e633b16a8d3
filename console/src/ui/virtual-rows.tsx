/** A long list: only the rows on screen exist. Asks for more rows when its end comes into view. */
import { useVirtualizer, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ScrollBox } from "./scroll-box.tsx";
import { Failed } from "./states.tsx";

interface VirtualRowsProps<Item> {
  items: readonly Item[];
  /** About how many pixels high a row is, before it is measured. */
  estimate: number;
  keyOf: (item: Item, index: number) => string;
  render: (item: Item, index: number) => ReactNode;
  label: string;
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

/** Rows in the page's own scroll. `scrollTo` is the row to scroll to, when it changes. */
export function VirtualRows<Item>(props: VirtualRowsProps<Item> & { scrollTo?: number | undefined }) {
  const { scrollTo } = props;
  const list = useRef<HTMLUListElement>(null);
  const top = useTopInPage(list);
  const virtualizer = useWindowVirtualizer({ ...optionsFor(props), scrollMargin: top });
  useEffect(() => {
    if (scrollTo !== undefined && scrollTo >= 0) virtualizer.scrollToIndex(scrollTo, { align: "center" });
  }, [scrollTo, virtualizer]);
  return (
    <Rows
      {...props}
      list={list}
      top={top}
      rows={virtualizer.getVirtualItems()}
      height={virtualizer.getTotalSize()}
      measure={virtualizer.measureElement}
    />
  );
}

/** Rows in a box of their own, which scrolls, on a page that has more below. */
export function BoxedRows<Item>(props: VirtualRowsProps<Item>) {
  const box = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({ ...optionsFor(props), getScrollElement: () => box.current });
  return (
    <ScrollBox className="rows-box" label={props.label} ref={box}>
      <Rows
        {...props}
        top={0}
        rows={virtualizer.getVirtualItems()}
        height={virtualizer.getTotalSize()}
        measure={virtualizer.measureElement}
      />
    </ScrollBox>
  );
}

function optionsFor<Item>({ items, estimate, keyOf }: VirtualRowsProps<Item>) {
  return {
    count: items.length,
    estimateSize: () => estimate,
    overscan: 8,
    getItemKey: (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
  };
}

interface RowsProps<Item> extends VirtualRowsProps<Item> {
  list?: RefObject<HTMLUListElement | null>;
  top: number;
  rows: VirtualItem[];
  height: number;
  measure: (row: Element | null) => void;
}

function Rows<Item>({ items, render, label, pager, list, top, rows, height, measure }: RowsProps<Item>) {
  const hasMore = pager !== undefined && pager.hasNextPage;
  const last = rows.at(-1)?.index ?? 0;
  // The next page would cancel a refetch of the others. After a failure the person decides: a page that fails would be
  // asked for again and again.
  const shallLoad = hasMore && last >= items.length - 5 && !pager.isFetching && !pager.isFetchNextPageError;
  useEffect(() => {
    if (shallLoad) void pager?.fetchNextPage();
  }, [shallLoad, pager]);

  return (
    <>
      <ul className="rows" ref={list} aria-label={label} style={{ height }}>
        {rows.map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <li
              key={row.key}
              data-index={row.index}
              ref={measure}
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
