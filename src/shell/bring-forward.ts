type Window = { isMinimized(): boolean; restore(): void; show(): void; focus(): void };

/** Shows a window in front of the others with the keyboard, also when it was minimized. */
export function bringForward(window: Window): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
