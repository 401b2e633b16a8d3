/** A page: its title, for the window too, what can be done with it, and its content. */
import { type ReactNode, useEffect } from "react";

interface PageProps {
  title: string;
  /** In place of the title, where a page begins with more than words. */
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, heading, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Triptych`;
  }, [title]);
  return (
    <>
      <div className="page-head">
        {heading ?? <h1 dir="auto">{title}</h1>}
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
