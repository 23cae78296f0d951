/**
 * The shortcut that stops everything from any app, as electron writes shortcuts. With these three keys macOS itself takes the period and
 * the comma (contrast), 8 (inverted colours) and the keys for switching off, also where the person has switched those on.
 */
export function stopShortcut(platform: NodeJS.Platform): string {
  return platform === 'darwin' ? 'Control+Alt+Command+S' : 'Control+Alt+Shift+S';
}
