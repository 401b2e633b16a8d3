/** The ref of what an action leads to: it may be off the screen, and the button that led to it gone. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}

/** Waits for a change that may remove what has the focus, and gives it to the section around. */
export async function keepFocus(element: HTMLElement | null, change: Promise<unknown>): Promise<void> {
  const section = element?.closest<HTMLElement>('section[tabindex="-1"]');
  await change;
  const { activeElement } = document;
  if (activeElement === document.body || element?.contains(activeElement) === true)
    section?.focus({ preventScroll: true });
}
