/**
 * A component whose file is loaded when it is first shown. `lazy` of React never tries again, and the router's own function
 * reloads the page, which loses what is on screen where nothing answers.
 */
import { type ComponentType, createElement, type FunctionComponent, use } from "react";

export class ComponentNotLoaded extends Error {
  /** The next render tries again. */
  readonly forget: () => void;

  constructor(forget: () => void, options: ErrorOptions) {
    super("the code of the page could not be loaded", options);
    this.forget = forget;
  }
}

export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> & { preload: () => Promise<void> } {
  let loading: Promise<ComponentType<Props>> | null = null;
  const forget = () => {
    loading = null;
  };
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = () =>
    (loading ??= load().then(
      (component) => (loaded = component),
      (cause: unknown) => {
        throw new ComponentNotLoaded(forget, { cause });
      },
    ));
  function Lazy(props: Props) {
    // Of what is there, React would show the fallback all the same, for some 300 ms.
    return createElement(loaded ?? use(loadOnce()), props);
  }
  // By the router, before the page is opened.
  Lazy.preload = () => loadOnce().then(() => undefined, forget);
  return Lazy;
}
