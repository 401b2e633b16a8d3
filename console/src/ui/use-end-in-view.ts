import { useCallback, useEffect, useRef } from "react";

/** Calls when the end of a list comes near the screen. Returns the ref of an element that stands there. */
export function useEndInView(onNear: () => void): (element: HTMLElement | null) => void {
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  const observer = useRef<IntersectionObserver | null>(null);
  return useCallback((element) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) latest.current();
      },
      { rootMargin: "600px" },
    );
    observer.current.observe(element);
  }, []);
}
