/** A box that scrolls by itself. It takes the focus, or a keyboard could not scroll it. */
import type { ReactNode, Ref } from "react";

interface ScrollBoxProps {
  label: string;
  className: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

export function ScrollBox({ label, className, ref, children }: ScrollBoxProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Safari scrolls by keyboard only what has a tabindex
    <section className={className} tabIndex={0} aria-label={label} ref={ref}>
      {children}
    </section>
  );
}
