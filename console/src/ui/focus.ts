/** The ref of what an action leads to: it may be off the screen, and the button that led to it gone. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
