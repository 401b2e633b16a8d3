/**
 * A component whose file is loaded when it is first shown. `lazy` of React never tries again, and the router's own function
 * reloads the page, which loses what is on screen where nothing answers.
 */
import { type ComponentType, type FunctionComponent, use } from "react";

export class ComponentNotLoaded extends Error {
  /** Whether the service answers, so that its console must be another one. */
  readonly isReplaced: boolean;
  /** The next render tries again. */
  readonly forget: () => void;

  constructor(isReplaced: boolean, forget: () => void, options: ErrorOptions) {
    super(isReplaced ? "a newer console is there" : "no answer from the service", options);
    this.isReplaced = isReplaced;
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
      async (cause: unknown) => {
        throw new ComponentNotLoaded(await doesAnswer(), forget, { cause });
      },
    ));
  function Lazy(props: Props) {
    // Of what is there, React would show the fallback all the same, for some 300 ms.
    const Component = loaded ?? use(loadOnce());
    return <Component {...props} />;
  }
  // By the router, before the page is opened.
  Lazy.preload = () => loadOnce().then(() => undefined, forget);
  return Lazy;
}

function doesAnswer(): Promise<boolean> {
  return fetch("/", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
